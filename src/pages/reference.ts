import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Router, type RequestHandler } from 'express';
import { findPackageFile, packageRoot } from '../lib/packageRoot.js';
import type { ResolveBasePath } from '../http/client.js';
import {
  escapeForPlace,
  iconPathOf,
  picturePathOf,
  type CurrentBrand,
  type DocumentBrand,
} from './brandedDocument.js';
import { pagesNotBuilt, serveFile } from './servedFile.js';

export interface ReferenceOptions {
  resolveBasePath: ResolveBasePath;
  /** Tells open pages that the contract has changed; only in development. */
  contractEvents?: ((req: IncomingMessage, res: ServerResponse) => void) | undefined;
  /** Are script and style served as they were built last, and not as they were at the start? */
  followsBuilds: boolean;
  /** How the web UI looks; without it, the reference has a logo and colours of its own. */
  currentBrand?: CurrentBrand | undefined;
}

/** Where the build has put script and style. */
const builtFolder = join(packageRoot, 'dist/web/reference');

/** The logo: a ticket that sends. Its colour is that of the text around it. */
const logo = `<svg viewBox="0 0 48 48" width="40" height="40" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
  <path d="M7 20a4 4 0 0 0 4-4h26a4 4 0 0 0 4 4v8a4 4 0 0 0 0 8v0a4 4 0 0 0-4 4H11a4 4 0 0 0-4-4v0a4 4 0 0 0 0-8z"/>
  <path d="M17 27a10 10 0 0 1 14 0M20.5 31a5 5 0 0 1 7 0"/><circle cx="24" cy="35" r="1" fill="currentColor"/>
  <path d="M16 9a12 12 0 0 1 16 0" opacity=".55"/>
</svg>`;

/** The logo as a file of its own: there is no text whose colour it could take. */
const logoFile = logo
  .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
  .replaceAll('currentColor', '#0b6e6e');

/** Scripts and styles only from here; Swagger UI sets some styles in place. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The reference at `/docs`, with a form to try each operation; nothing of it comes from another host. */
export const makeReference = ({
  resolveBasePath,
  contractEvents,
  followsBuilds,
  currentBrand,
}: ReferenceOptions): Router => {
  const router = Router();
  router.use((_req, res, next) => {
    res.set('Content-Security-Policy', contentSecurityPolicy);
    res.set('Referrer-Policy', 'no-referrer');
    next();
  });
  router.get('/', async (req, res) => {
    const brand = (await currentBrand?.()) ?? null;
    const page = renderReferencePage(resolveBasePath(req), contractEvents !== undefined, brand);
    res.vary('X-Forwarded-Prefix').type('html').send(page);
  });
  router.get('/logo.svg', (_req, res) => {
    res.type('svg').send(logoFile);
  });
  for (const name of ['reference.js', 'reference.css'])
    router.get(
      `/${name}`,
      followsBuilds ? (req, res, next) => serveBuilt(name)(req, res, next) : serveBuilt(name),
    );
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    router.get(
      `/${name}`,
      serveFile(name, findPackageFile('swagger-ui-dist', name), { 'Cache-Control': 'public, max-age=86400' }),
    );
  if (contractEvents) router.get('/events', contractEvents);
  return router;
};

/**
 * A file that the build has made: its name stays the same, so browsers ask each time whether it has changed.
 */
const serveBuilt = (name: string): RequestHandler => {
  const file = join(builtFolder, name);
  return existsSync(file)
    ? serveFile(name, file, { 'Cache-Control': 'no-cache' })
    : (_req, res) => void res.status(503).type('text').send(pagesNotBuilt);
};

const titleOf = (brand: DocumentBrand | null): string => escapeForPlace(brand?.title ?? 'voucherd');

/** The chosen logo alone, as at the top of the web UI, or the ticket with the title. */
const renderLogo = (basePath: string, brand: DocumentBrand | null): string =>
  brand?.logo
    ? `<img src="${basePath}${picturePathOf(brand.logo.version)}" alt="${titleOf(brand)}" data-tone="${brand.logo.tone ?? ''}">`
    : `${logo}<span>${titleOf(brand)}</span>`;

/** The colours that administrators have chosen. The service has made them readable on light and dark. */
const renderColours = (brand: DocumentBrand | null): string =>
  brand?.palette
    ? `\n<style>:root { --accent: ${brand.palette.light.text} } html.dark-mode { --accent: ${brand.palette.dark.text} }</style>`
    : '';

/** The page at `/docs`: a frame for the reference, which is drawn by its script. */
const renderReferencePage = (
  basePath: string,
  reloads: boolean,
  brand: DocumentBrand | null,
): string => `<!doctype html>
<html lang="en" data-contract="${basePath}/openapi.yaml" data-base="${basePath}"${reloads ? ' data-reloads' : ''}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(brand)}: API reference</title>
<link rel="icon" href="${basePath}${iconPathOf(brand)}">
<link rel="stylesheet" href="${basePath}/docs/swagger-ui.css">
<link rel="stylesheet" href="${basePath}/docs/reference.css">${renderColours(brand)}
<header>
  <a class="brand" href="${basePath}/">${renderLogo(basePath, brand)}</a>
  <nav>
    <a href="${basePath}/openapi.php">openapi.php</a>
    <a href="${basePath}/openapi.yaml">openapi.yaml</a>
  </nav>
</header>
<main id="docs"><noscript>The reference needs JavaScript. The contract itself is at <a href="${basePath}/openapi.yaml">openapi.yaml</a>.</noscript></main>
<script src="${basePath}/docs/swagger-ui-bundle.js"></script>
<script src="${basePath}/docs/reference.js"></script>
</html>
`;

/** Tells pages that show the contract when there is another one. For development only. */
interface ContractEvents {
  /** Server-sent events: one at once and one at each change, with `{"revision":"…"}` as its data. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  notify(): void;
  /** Ends all streams; what comes later is ended at once. */
  close(): void;
}

/** Shorter than the time after which the server ends a silent connection. */
const heartbeatMs = 30_000;

/** `process` tells the revisions of this process from those of the next one. */
export const makeContractEvents = (process: string): ContractEvents => {
  const streams = new Set<ServerResponse>();
  let count = 0;
  let closed = false;
  const event = (): string => `data: ${JSON.stringify({ revision: `${process}-${String(count)}` })}\n\n`;
  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.write(': still here\n\n');
  }, heartbeatMs).unref();

  return {
    handle: (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
      // A browser comes back after half a second when the service restarts.
      res.write(`retry: 500\n${event()}`);
      streams.add(res);
      res.once('close', () => streams.delete(res));
      if (closed) res.end();
    },
    notify: () => {
      count += 1;
      for (const stream of streams) stream.write(event());
    },
    close: () => {
      closed = true;
      clearInterval(heartbeat);
      for (const stream of streams) stream.end();
    },
  };
};
