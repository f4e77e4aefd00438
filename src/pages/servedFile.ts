import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { RequestHandler } from 'express';
import { makeCachedBytes, type CachedBody } from '../lib/cachedBody.js';
import { errorCode } from '../lib/errorCode.js';

/** What is said in place of a file that the build makes. */
export const pagesNotBuilt =
  'The pages are not built yet: run `npm run build`. The API is described at /openapi.yaml.\n';

const chunkBytes = 64 * 1024;

/**
 * A large file from memory, a piece at a time: a client that does not read it holds
 * neither a file open nor a copy of the whole. It is read when it is first asked
 * for; one that was removed since the start is not found. `name` says its type.
 */
export const serveFile = (
  name: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): RequestHandler => {
  let file: CachedBody<unknown> | undefined;
  return (req, res, next) => {
    file ??= readIfPresent(path);
    if (!file) {
      next();
      return;
    }
    const { bytes, etag } = file;
    res.type(name).set({ ETag: etag, ...headers });
    if (req.fresh) {
      res.status(304).end();
      return;
    }
    res.set('Content-Length', String(bytes.length));
    if (req.method === 'HEAD') res.end();
    else Readable.from(chunksOf(bytes)).pipe(res);
  };
};

const readIfPresent = (path: string): CachedBody<unknown> | undefined => {
  try {
    return makeCachedBytes(readFileSync(path));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
    throw error;
  }
};

const chunksOf = function* (bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
};
