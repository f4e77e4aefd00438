import { readRetryAfter } from './apiError.js';

/** When a request is sent again. */
export interface RetryOptions {
  /** How often, after the first time. Default 3; 0 switches it off. */
  readonly limit?: number;
  /** An answer that asks for a longer wait is handed on as it is. Default 60 seconds. */
  readonly maxWaitMs?: number;
  /** The wait before the first repetition where the service names none; it doubles each time. Default 500 ms. */
  readonly firstWaitMs?: number;
  /** How long one attempt may take, with its body; event streams until they begin. Default 30 seconds; 0 is no limit. */
  readonly timeoutMs?: number;
}

/** Sends a request: `fetch`, or something in front of it. */
export type FetchRequest = (request: Request) => Promise<Response>;

/** The request changes nothing, or the service recognises it by its key. */
const isRepeatable = ({ method, headers }: Request): boolean =>
  ['GET', 'HEAD', 'OPTIONS'].includes(method) || headers.has('Idempotency-Key');

/** Too many requests, a failure of the service, or the same request is still in progress. */
const isTransient = (response: Response): boolean => {
  const { status } = response;
  if (status === 409) return readRetryAfter(response) !== undefined;
  return status === 429 || (status >= 500 && status !== 501);
};

/** Resolves after a time; rejects at once when the caller aborts. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

const isEventStream = ({ headers }: Response): boolean =>
  headers.get('Content-Type')?.startsWith('text/event-stream') === true;

/** One attempt, which ends when its time is over or the caller aborts. */
const attempt = async (send: FetchRequest, request: Request, timeoutMs: number): Promise<Response> => {
  if (timeoutMs === 0) return send(request);
  const controller = new AbortController();
  const { signal } = request;
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  const expire = (): void =>
    controller.abort(new DOMException(`no answer within ${String(timeoutMs)} ms`, 'TimeoutError'));
  const timer: unknown = setTimeout(expire, timeoutMs);
  // In Node a timer alone must not keep the process running.
  if (typeof timer === 'object') (timer as { unref(): void }).unref();
  const clear = (): void => clearTimeout(timer as number);
  try {
    const response = await send(new Request(request, { signal: controller.signal }));
    if (response.body === null || isEventStream(response)) clear();
    return response;
  } catch (error) {
    clear();
    throw error;
  }
};

/** Sends a request again when that is safe, as late as the service asks for. */
export const withRetries = (send: FetchRequest, options: RetryOptions = {}): FetchRequest => {
  const { limit = 3, maxWaitMs = 60_000, firstWaitMs = 500, timeoutMs = 30_000 } = options;
  return async (request) => {
    for (let tries = 0; ; tries++) {
      const isLast = tries >= limit || !isRepeatable(request);
      let response: Response | undefined;
      try {
        response = await attempt(send, isLast ? request : request.clone(), timeoutMs);
        if (isLast || !isTransient(response)) return response;
      } catch (error) {
        if (isLast || request.signal.aborted) throw error;
      }
      const seconds = response && readRetryAfter(response);
      const ms = seconds === undefined ? firstWaitMs * 2 ** tries : seconds * 1000;
      if (response && ms > maxWaitMs) return response;
      await response?.body?.cancel();
      await wait(ms, request.signal);
    }
  };
};
