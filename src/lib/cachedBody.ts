import { createHash } from 'node:crypto';

/** A reply's body as ready bytes with their ETag, made once and sent many times. */
export interface CachedBody<T> {
  readonly bytes: Buffer;
  readonly etag: string;
  /** Only for the type checker: what the bytes say. */
  readonly of?: T;
}

/** Serialises a body once. */
export const makeCachedBody = <T>(body: T): CachedBody<T> => makeCachedText<T>(JSON.stringify(body));

export const makeCachedText = <T>(text: string): CachedBody<T> => makeCachedBytes<T>(Buffer.from(text));

export const makeCachedBytes = <T>(bytes: Buffer): CachedBody<T> => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`,
});

export const isCachedBody = (body: unknown): body is CachedBody<unknown> =>
  typeof body === 'object' && body !== null && 'bytes' in body && Buffer.isBuffer(body.bytes);
