import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import type { Log } from '../log/log.js';
import { describeReadings, type NotReady } from '../metrics/checks.js';
import type { Metrics } from '../metrics/metrics.js';
import { DatabaseUnavailable, type UnavailableCode } from '../database/unavailable.js';
import { errorCode } from '../lib/errorCode.js';
import { publicText } from '../lib/publicText.js';
import { singleFlight } from '../lib/singleFlight.js';
import type { System } from '../lib/system.js';
import type { ResolveBasePath } from '../http/client.js';
import type { ErrorContent, ErrorForm } from '../http/errorForm.js';
import { mayReadMetrics } from '../http/metricsAccess.js';
import { noSniffing } from '../http/response.js';
import type { LimitUnknownPath } from '../http/unknownPaths.js';
import { makeBrandDocument, makeCurrentBrand, type ReadBrand } from './brandedDocument.js';
import { databaseIdentityHeader } from './readiness.js';
import { makeReference, type ReferenceOptions } from './reference.js';
import { makeRebuiltPages, makeWebPages } from './webPages.js';

export interface ExpressAppOptions {
  resolveBasePath: ResolveBasePath;
  /** How errors look outside of the pages. */
  errors(): ErrorForm;
  /** Counts requests with a key for paths that do not exist. */
  limitUnknownPath?: LimitUnknownPath;
  metrics: Metrics;
  metricsToken: string | undefined;
  log: Log;
  contractEvents?: ReferenceOptions['contractEvents'];
  /** Are the pages served as they were built last, and not as they were at the start? */
  followsBuilds?: boolean;
  /** Resolves when requests can be served; rejects with the reason when not. */
  checkReady(): Promise<void>;
  /** Tells the database of the service from others, for `doctor`. */
  databaseIdentity?: string;
  system: Pick<System, 'randomBytes'>;
  isDemo?: boolean;
  readBrand?: ReadBrand;
}

const unavailableTexts: Readonly<Record<UnavailableCode, string>> = {
  unreachable: 'the database does not answer',
  'read-only': 'the database can only be read',
};

/** How long health and metrics wait for a database that does not answer. */
export const readinessTimeoutMs = 1000;

/**
 * The Express application for what is outside the contracts: the pages, the reference, health and metrics.
 */
export const makeExpressApp = ({
  resolveBasePath,
  errors,
  limitUnknownPath,
  metrics,
  metricsToken,
  log,
  checkReady,
  databaseIdentity,
  contractEvents,
  followsBuilds = false,
  system,
  isDemo,
  readBrand,
}: ExpressAppOptions): Express => {
  const isReady = singleFlight(checkReady, readinessTimeoutMs);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', 'strong');
  app.use((_req, res, next) => {
    res.set(...noSniffing);
    next();
  });
  const currentBrand = readBrand && makeCurrentBrand(readBrand, log);
  const pages = (followsBuilds ? makeRebuiltPages : makeWebPages)({
    resolveBasePath,
    system,
    isDemo,
    ...(currentBrand && { brandDocument: makeBrandDocument(currentBrand) }),
  });
  app.use(pages.router);
  app.use('/docs', makeReference({ resolveBasePath, contractEvents, followsBuilds, currentBrand }));
  app.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  /** Refuses clients that may not read metrics or other things for operators, who read English. */
  const mayRead = (req: Request, res: Response, what: string): boolean => {
    if (mayReadMetrics(req, metricsToken)) return true;
    const condition = metricsToken
      ? 'only with METRICS_TOKEN'
      : 'only from this machine, or with METRICS_TOKEN';
    res.status(403).json({ error: 'forbidden', message: `${what} ${condition}` });
    return false;
  };
  const findNotReady = async (): Promise<NotReady | undefined> => {
    try {
      await isReady();
      return undefined;
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      // Anyone may ask here, so the answer does not say where the database is.
      const reason = error instanceof DatabaseUnavailable ? unavailableTexts[error.code] : publicText(error);
      return { code: errorCode(error), reason };
    }
  };
  app.get('/readyz', async (req, res) => {
    const isVerbose = req.query['verbose'] !== undefined;
    if (isVerbose && !mayRead(req, res, 'details')) return;
    const notReady = await findNotReady();
    if (databaseIdentity !== undefined) res.set(databaseIdentityHeader, databaseIdentity);
    const checks = isVerbose ? { checks: describeReadings(await metrics.read(), notReady) } : {};
    if (notReady) res.status(503).json({ status: 'unavailable', reason: notReady.reason, ...checks });
    else res.json({ status: 'ready', ...checks });
  });
  app.get('/metrics', async (req, res) => {
    if (!mayRead(req, res, 'metrics')) return;
    res.set('Content-Type', metrics.contentType).send(await metrics.text());
  });
  const sendError = (res: Response, status: number, content: ErrorContent): void => {
    const { body, contentType } = errors();
    const target = res.req.originalUrl;
    res
      .status(status)
      .type(contentType)
      .json(body(status, { ...content, target }));
  };
  app.use(async (req, res, next) => {
    if (!(await limitUnknownPath?.(req, res))) next();
  });
  app.use(pages.notFound);
  app.use((_req, res) => {
    sendError(res, 404, { code: 'not_found', message: errors().text('address') });
  });
  const onError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const refused = error instanceof URIError || (error as { status?: number }).status === 400;
    if (!refused) log.error({ err: error }, 'page failed');
    if (refused)
      sendError(res, 400, { code: 'invalid_request', message: errors().text('malformed_address') });
    else sendError(res, 500, { code: 'server_error', message: publicText(error) });
  };
  app.use(onError);
  return app;
};
