import { createHash } from 'node:crypto';

/** A reply's body as ready bytes with their ETag, made once and sent many times. */
export interface Kept<T> {
  readonly bytes: Buffer;
  readonly etag: string;
  /** Only for the type checker: what the bytes say. */
  readonly of?: T;
}

/** Serialises a body once. */
export const keep = <T>(body: T): Kept<T> => keepText<T>(JSON.stringify(body));

export const keepText = <T>(text: string): Kept<T> => keepBytes<T>(Buffer.from(text));

export const keepBytes = <T>(bytes: Buffer): Kept<T> => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`,
});

export const isKept = (body: unknown): body is Kept<unknown> =>
  typeof body === 'object' && body !== null && 'bytes' in body && Buffer.isBuffer(body.bytes);
