import type { IncomingMessage, RequestListener } from 'node:http';
import type { ErrorForm } from '../http/errorForm.js';
import { mayReadMetrics } from '../http/metricsAccess.js';
import { jsonResponse, sendResponse, type HttpResponse } from '../http/response.js';
import { publicText } from '../lib/publicText.js';
import { singleFlight } from '../lib/singleFlight.js';
import type { Log } from '../log/log.js';
import type { ServiceMetrics } from './serviceMetrics.js';

/** What a client has asked for, with the base path. */
const targetOf = ({ originalUrl, url }: IncomingMessage & { readonly originalUrl?: string }) =>
  originalUrl ?? url;

interface HealthEndpointsOptions {
  /** How errors of the contract look. */
  errors(): ErrorForm;
  checkReady: (() => Promise<void>) | undefined;
  readonly metrics: ServiceMetrics;
  readonly metricsToken: string | undefined;
  readonly log: Log;
}

/** How long `/readyz` waits for its check. */
const readinessTimeoutMs = 1000;

/** What is outside of the contract: `/healthz`, `/readyz` and `/metrics`. */
export const makeHealthEndpoints = ({
  errors,
  checkReady = () => Promise.resolve(),
  metrics,
  metricsToken,
  log,
}: HealthEndpointsOptions): RequestListener => {
  const isReady = singleFlight(checkReady, readinessTimeoutMs);
  const endpoints: Readonly<Record<string, (req: IncomingMessage) => Promise<HttpResponse>>> = {
    '/healthz': async () => jsonResponse(200, { status: 'ok' }),
    '/readyz': async () => {
      try {
        await isReady();
        return jsonResponse(200, { status: 'ready' });
      } catch (error) {
        log.warn({ err: error }, 'not ready');
        return jsonResponse(503, { status: 'unavailable', reason: publicText(error) });
      }
    },
    '/metrics': async (req) => {
      if (mayReadMetrics(req, metricsToken)) {
        const body = Buffer.from(await metrics.text());
        return { status: 200, headers: [], contentType: metrics.contentType, body };
      }
      const condition = metricsToken === undefined ? 'only from this machine' : 'only with the token';
      const content = { code: 'forbidden', message: `metrics ${condition}`, target: targetOf(req) };
      return errors().response(403, content);
    },
  };

  const answer = async (req: IncomingMessage): Promise<HttpResponse> => {
    const { url, method } = req;
    const target = targetOf(req);
    const path = url?.split('?')[0] ?? '';
    const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
    const form = errors();
    if (!endpoint) return form.response(404, { code: 'not_found', message: form.text('address'), target });
    if (method === 'GET' || method === 'HEAD') return endpoint(req);
    return form.response(405, { code: 'method_not_allowed', target }, ['Allow', 'GET, HEAD']);
  };

  return (req, res) => {
    answer(req).then(
      (response) => sendResponse(req, res, response),
      (error: unknown) => {
        log.error({ err: error }, 'request failed');
        res.destroy();
      },
    );
  };
};
