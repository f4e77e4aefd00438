import { Readable } from 'node:stream';

/** A body that is not JSON: bytes, or a stream of them. */
export type StreamedBody = Readable | Uint8Array;

export const isStreamed = (body: unknown): body is StreamedBody =>
  body instanceof Readable || body instanceof Uint8Array;
