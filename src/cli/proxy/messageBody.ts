import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

/** The beginning of a message's body, and whether that is all of it. */
export interface BodyStart {
  readonly bytes: Buffer;
  /** If not, the rest is still to be read from the stream, which is paused. */
  readonly isComplete: boolean;
}

/** Reads a body until it ends or has more bytes than this. Rejects when the stream breaks off. */
export const readBodyStart = (stream: Readable, maxBytes: number): Promise<BodyStart> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      act();
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) return;
      stream.pause();
      settle(() => resolve({ bytes: Buffer.concat(chunks), isComplete: false }));
    };
    const onEnd = (): void => settle(() => resolve({ bytes: Buffer.concat(chunks), isComplete: true }));
    const onError = (error: Error): void => settle(() => reject(error));
    const onClose = (): void => settle(() => reject(new Error('the connection broke off')));
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });

const decoders: Readonly<Record<string, (bytes: Buffer, options: object) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * A body without its content encoding. `undefined` for one that is not known here, or that would be too long;
 * a body that does not match its encoding rejects.
 */
export const decodeBody = async (
  bytes: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer | undefined> => {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return bytes;
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  try {
    return await decode?.(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
};
