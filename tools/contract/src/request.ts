import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** One request as it goes over the wire. */
export interface HttpRequest {
  readonly method: string;
  /** The path below the base address, with the query: `/vouchers.php?site_id=1`. */
  readonly requestTarget: string;
  /** Names and values; keys stand in them as they are. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As bytes where it is no text. */
  readonly body?: string | Uint8Array | undefined;
  /** Is it sent without what a page of the service would add? */
  readonly isBare?: boolean;
  /** Is an answer that is a stream of events read to its end? Otherwise its first events are enough. */
  readonly isWhole?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The text parsed as JSON; undefined when it is not JSON. */
  readonly body: unknown;
}

/** A request and what came back. */
export interface HttpExchange {
  readonly request: HttpRequest;
  readonly answer: HttpAnswer;
}

export interface HttpClient {
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
}

/** For a service of the run, on a machine that is busy with other things, too. */
export const longestPatienceMs = 120_000;
/** For a service of others, which may be silent. */
export const usualPatienceMs = 60_000;

/** Nobody has time for a service that is silent: no further request is sent after so many in a row. */
const maxUnanswered = 3;

const maxAnswerBytes = 64 * 1024 * 1024;

export const eventStream = 'text/event-stream';

const firstEventMs = 1_000;

export interface HttpClientOptions {
  /**
   * Does a service of the run answer? Then a request that changes something goes over a connection that is open, too: should
   * the service be about to close it, it is sent again.
   */
  readonly isOwnService?: boolean;
  /** How long an answer may take, to its last byte. */
  readonly patienceMs?: number;
}

/** Sends requests to one address. */
export const makeHttpClient = (
  base: string,
  { isOwnService = false, patienceMs = longestPatienceMs }: HttpClientOptions = {},
): HttpClient => {
  const url = new URL(base);
  const secure = url.protocol === 'https:';
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const basePath = url.pathname.replace(/\/$/, '');
  const place = {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port && { port: url.port }),
  };
  const mayRepeat = (method: string): boolean => isSafe(method) || isOwnService;
  const once = (request: HttpRequest, reuses: boolean): Promise<HttpAnswer> => {
    const { method, requestTarget, headers, body, isWhole = false } = request;
    const isChunked = headers.some(([name]) => /^transfer-encoding$/i.test(name));
    const hasHost = headers.some(([name]) => /^host$/i.test(name));
    // Without a length, Node announces a body to come even where there is none, and curl does not.
    const hasLength = !isChunked && (body !== undefined || mayHaveBody(method));
    const length = hasLength ? [['Content-Length', String(Buffer.byteLength(body ?? ''))] as const] : [];
    return exchange(
      secure,
      { body, isWhole, patienceMs },
      {
        ...place,
        method,
        path: basePath + requestTarget,
        // Otherwise it could be sent on a connection that is about to close, and nobody would know what became of it.
        agent: reuses && agent,
        headers: [...(hasHost ? [] : [['Host', url.host] as const]), ...headers, ...length].flat(),
      },
    );
  };
  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    try {
      return await once(request, mayRepeat(request.method));
    } catch (error) {
      if (!mayRepeat(request.method) || !(error instanceof Stale)) throw error;
      return once(request, false);
    }
  };
  let unanswered = 0;
  return {
    send: async (request) => {
      if (unanswered >= maxUnanswered)
        throw new Unanswered(`not sent, because ${maxUnanswered} requests in a row had no answer in time`);
      try {
        const answer = await send(request);
        unanswered = 0;
        return answer;
      } catch (error) {
        if (error instanceof Unanswered) unanswered += 1;
        throw error;
      }
    },
    close: () => {
      agent.destroy();
    },
  };
};

const mayHaveBody = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method);

/** Does a method change nothing, whatever it is sent with? */
export const isSafe = (method: string): boolean => ['GET', 'HEAD'].includes(method);

/** The other side had closed the connection that was used again. */
class Stale extends Error {
  override readonly name = 'Stale';
}

/** There was no answer, or no end of it, in time. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

interface Sending extends Pick<HttpRequest, 'body' | 'isWhole'> {
  readonly patienceMs: number;
}

const exchange = (
  secure: boolean,
  { body, isWhole, patienceMs }: Sending,
  options: RequestOptions,
): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const what = `${String(options.method)} ${String(options.path).replace(/\?.*/, '')}`;
    const req = (secure ? httpsRequest : httpRequest)(options, (res) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = (): void => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, body: parse(text) });
      };
      res.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > maxAnswerBytes)
          giveUp(new Error(`${what}: the answer is longer than ${maxAnswerBytes / 1024 / 1024} MiB`));
      });
      res.on('error', reject);
      res.on('end', finish);
      if (!isWhole && res.headers['content-type']?.startsWith(eventStream)) cutOff(res, finish);
    });
    const giveUp = (error: Error): void => {
      reject(error);
      req.destroy();
    };
    const timer = setTimeout(
      () => giveUp(new Unanswered(`${what}: no complete answer within ${patienceMs / 1000} s`)),
      patienceMs,
    );
    req.on('close', () => clearTimeout(timer));
    req.on('error', (error: NodeJS.ErrnoException) => {
      const stale = req.reusedSocket && error.code === 'ECONNRESET';
      reject(stale ? new Stale(error.message) : new Error(`${what}: ${error.message}`, { cause: error }));
    });
    req.end(body);
  });

/** A stream of events does not end by itself: its first events are enough, or that there is none yet. */
const cutOff = (res: IncomingMessage, finish: () => void): void => {
  const end = (): void => {
    clearTimeout(timer);
    finish();
    res.destroy();
  };
  const timer = setTimeout(end, firstEventMs);
  res.once('data', end).once('close', () => clearTimeout(timer));
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
