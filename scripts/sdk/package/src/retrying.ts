/** When a request is sent again. */
export interface RetryOptions {
  /** How often, after the first time. Default 3; 0 switches it off. */
  readonly limit?: number;
  /** An answer that asks for a longer wait is handed on as it is. Default 60 seconds. */
  readonly longestWaitMs?: number;
  /** The wait before the first repetition where the service names none; it doubles each time. Default 500 ms. */
  readonly firstWaitMs?: number;
}

type Fetch = (request: Request) => Promise<Response>;

/** The service did nothing, or it recognises the request by its Idempotency-Key. */
const mayRepeat = (request: Request): boolean =>
  request.method === 'GET' || request.headers.has('Idempotency-Key');

/** Worth another try later: too many requests, the same order still in progress, or a failure of the service. */
const isPassing = (status: number): boolean => status === 429 || status === 409 || status >= 500;

const waitOf = (response: Response | undefined, standardMs: number): number => {
  const seconds = Number(response?.headers.get('Retry-After') ?? NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : standardMs;
};

/** Resolves after a time; ends at once when the caller gives up. */
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

/** Sends again what may be sent again, as late as the service asks for. */
export const retrying = (send: Fetch, options: RetryOptions = {}): Fetch => {
  const { limit = 3, longestWaitMs = 60_000, firstWaitMs = 500 } = options;
  return async (request) => {
    for (let tries = 0; ; tries++) {
      const last = tries >= limit || !mayRepeat(request);
      let response: Response | undefined;
      try {
        response = await send(last ? request : request.clone());
        if (last || !isPassing(response.status)) return response;
      } catch (error) {
        if (last || request.signal.aborted) throw error;
      }
      const ms = waitOf(response, firstWaitMs * 2 ** tries);
      if (response && ms > longestWaitMs) return response;
      await response?.body?.cancel();
      await wait(ms, request.signal);
    }
  };
};
