import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
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
const dayMs = 24 * 3_600_000;

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
    router.get(`/${name}`, (_req, res) => {
      res.sendFile(join(folder, name), { maxAge: dayMs });
    });
  }
  if (reloads) router.get('/events', reloads);
  return router;
};
