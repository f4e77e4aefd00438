import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { pageLanguages } from '../i18n/language.js';
import { packageRoot } from '../lib/packageRoot.js';
import type { System } from '../lib/system.js';
import type { ResolveBasePath } from '../http/client.js';
import { fillBrand, type BrandDocument } from './brandedDocument.js';
import { guestPagePath, pagePaths } from './pagePaths.js';
import { pagesNotBuilt, serveFile } from './servedFile.js';

interface WebPagesOptions {
  resolveBasePath: ResolveBasePath;
  system: Pick<System, 'randomBytes'>;
  /** Is it a demo? The pages say so. */
  isDemo?: boolean | undefined;
  /** Writes into the document how the pages look; without it they look as they do by themselves. */
  brandDocument?: BrandDocument;
  /** Where the build has put the pages. */
  folder?: string;
}

const builtFolder = join(packageRoot, 'dist/web');

/**
 * Only what is ours; components set style attributes in place,
 * and style elements with the nonce of their response.
 */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** What the service fills in: a base path has no character that means anything in HTML. */
const [noncePlace, basePlace, demoPlace] = ['%STYLE_NONCE%', '%BASE_PATH%', '%IS_DEMO%'];
/** Read before any script runs, which may choose another. */
const languagePlace = '%LANGUAGE%';

/** The pages, as handlers of requests. */
export interface WebPages {
  readonly router: RequestHandler;
  /** Answers a browser at an address without a page: the same document says so, in the look of the others. */
  readonly notFound: RequestHandler;
}

/**
 * The pages: one document for all of them, and the files that it loads,
 * whose names change with their content.
 */
export const makeWebPages = (options: WebPagesOptions): WebPages => {
  const { resolveBasePath, system, isDemo = false, folder = builtFolder } = options;
  const { brandDocument = (given) => fillBrand(given, null) } = options;
  const router = Router();
  router.use('/assets', serveAssets(join(folder, 'assets')));
  const file = join(folder, 'index.html');
  const document = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const sendDocument = async (req: Request, res: Response, status: number): Promise<void> => {
    const nonce = system.randomBytes(16).toString('base64url');
    res.set({
      'Content-Security-Policy': contentSecurityPolicy(nonce),
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    });
    if (document === undefined) res.status(503).type('text').send(pagesNotBuilt);
    else {
      const filled = (await brandDocument(document))
        .replaceAll(languagePlace, req.acceptsLanguages([...pageLanguages]) || 'en')
        .replaceAll(noncePlace, nonce)
        .replaceAll(basePlace, resolveBasePath(req))
        .replaceAll(demoPlace, String(isDemo));
      res.status(status).type('html').send(filled);
    }
  };
  router.get([...pagePaths, guestPagePath], (req, res) => sendDocument(req, res, 200));
  return {
    router,
    notFound: async (req, res, next) => {
      // Programs read JSON, also those that take anything.
      const isBrowser = req.method === 'GET' && req.accepts(['json', 'html']) === 'html';
      if (isBrowser && document !== undefined) await sendDocument(req, res, 404);
      else next();
    },
  };
};

/** The same for development: serves the latest build. */
export const makeRebuiltPages = (options: WebPagesOptions): WebPages => {
  const file = join(options.folder ?? builtFolder, 'index.html');
  // While one build replaces another, there is no build for a moment.
  const builtAt = (): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  let [pages, served] = [makeWebPages(options), builtAt()];
  const latest = (): WebPages => {
    const built = builtAt();
    if (built !== undefined && built !== served) [pages, served] = [makeWebPages(options), built];
    return pages;
  };
  return {
    router: (req, res, next) => latest().router(req, res, next),
    notFound: (req, res, next) => latest().notFound(req, res, next),
  };
};

/** The files of a folder as they were built. */
const serveAssets = (folder: string): RequestHandler => {
  const names = new Set(existsSync(folder) ? readdirSync(folder) : []);
  const read = new Map<string, RequestHandler>();
  const load = (name: string, isCompressed: boolean): RequestHandler => {
    const stored = isCompressed ? `${name}.gz` : name;
    const known = read.get(stored);
    if (known) return known;
    const handler = serveFile(name, join(folder, stored), {
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    });
    read.set(stored, handler);
    return handler;
  };
  return (req, res, next) => {
    const name = req.path.slice(1);
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (!isRead || !names.has(name) || name.endsWith('.gz')) {
      next();
      return;
    }
    const isCompressed = names.has(`${name}.gz`) && req.acceptsEncodings('gzip') === 'gzip';
    void load(name, isCompressed)(req, res, next);
  };
};
