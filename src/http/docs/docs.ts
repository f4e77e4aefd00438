import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router, type RequestHandler } from 'express';
import { keepBytes } from '../../kept.js';
import { logoFile } from '../logo.js';
import { docsPage, docsScript, docsStyle } from './page.js';

export interface DocsOptions {
  basePath: string;
  /** Tells open pages that the contract has changed; only in development. */
  reloads?: ((req: IncomingMessage, res: ServerResponse) => void) | undefined;
}

/** Scripts and styles only from here; Swagger UI sets some styles in place. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const pieceBytes = 64 * 1024;

/** The reference at `/docs`, with a form to try each operation; nothing of it comes from another host. */
export const makeDocs = ({ basePath, reloads }: DocsOptions): Router => {
  const router = Router();
  router.use((_req, res, next) => {
    res.set('Content-Security-Policy', policy);
    res.set('X-Content-Type-Options', 'nosniff');
    res.set('Referrer-Policy', 'no-referrer');
    next();
  });
  const page = docsPage(basePath, reloads !== undefined);
  router.get('/', (_req, res) => {
    res.type('html').send(page);
  });
  const own = { 'docs.js': docsScript, 'docs.css': docsStyle, 'logo.svg': logoFile };
  for (const [name, text] of Object.entries(own)) {
    router.get(`/${name}`, (_req, res) => {
      res.type(name).send(text);
    });
  }
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
    router.get(`/${name}`, serveFile(name, readFileSync(join(folder, name))));
  }
  if (reloads) router.get('/events', reloads);
  return router;
};

/**
 * A large file from memory, a piece at a time: a client that does not read it holds neither a file open nor a copy of
 * the whole.
 */
const serveFile = (name: string, file: Buffer): RequestHandler => {
  const { bytes, etag } = keepBytes(file);
  return (req, res) => {
    res.type(name).set({ ETag: etag, 'Cache-Control': 'public, max-age=86400' });
    if (req.fresh) {
      res.status(304).end();
      return;
    }
    res.set('Content-Length', String(bytes.length));
    if (req.method === 'HEAD') res.end();
    else Readable.from(piecesOf(bytes)).pipe(res);
  };
};

const piecesOf = function* (bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
};
