import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** What a target does with one request. */
export type Behaviour =
  | {
      readonly does: 'answer';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Waits before it answers. */
      readonly afterMs?: number;
    }
  /** Never answers. */
  | { readonly does: 'hang' }
  /** Drops the connection instead of an answer. */
  | { readonly does: 'reset'; readonly when: 'before the body' | 'after the body' }
  /** Answers with a body that begins with this text, and then sends nothing more, drops the connection, or never ends. */
  | { readonly does: 'begin'; readonly status: number; readonly body: string; readonly then: Unfinished };

type Unfinished = 'silence' | 'reset' | 'more';

/** Any answer. What is not text is sent as JSON. */
export const respondWith = (status: number, body: unknown = '', headers = {}): Behaviour =>
  typeof body === 'string'
    ? { does: 'answer', status, body, headers: { 'content-type': 'text/plain', ...headers } }
    : {
        does: 'answer',
        status,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      };

/** The 429 of Slack and others: `Retry-After` may be missing. */
export const respondThrottled = (retryAfter?: number | string): Behaviour =>
  respondWith(429, 'rate_limited', retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });

/** Discord's 429: seconds as a float in the body, rounded up in the header. */
export const respondDiscordThrottled = (seconds: number): Behaviour =>
  respondWith(
    429,
    { message: 'You are being rate limited.', retry_after: seconds, global: false },
    { 'retry-after': String(Math.ceil(seconds)), 'x-ratelimit-scope': 'user' },
  );

export const respondRedirect = (location: string, status = 302): Behaviour =>
  respondWith(status, 'moved', { location });

/** The behaviours without parameters, by their names on the command line. */
export const behaviours = {
  ok: respondWith(200, 'ok'),
  noContent: { does: 'answer', status: 204 },
  accepted: { does: 'answer', status: 202 },
  discordMessage: respondWith(200, { id: '1', type: 0, content: 'text', channel_id: '2' }),
  googleMessage: respondWith(200, { name: 'spaces/A/messages/B', thread: { name: 'spaces/A/threads/C' } }),
  throttled: respondThrottled(),
  teamsThrottled: respondWith(
    200,
    'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
  ),
  gone: respondWith(410, 'channel_is_archived'),
  unavailable: respondWith(503, 'unavailable'),
  hang: { does: 'hang' },
  slow: { does: 'answer', status: 200, body: 'ok', afterMs: 3000 },
  resetBeforeBody: { does: 'reset', when: 'before the body' },
  resetAfterBody: { does: 'reset', when: 'after the body' },
  endless: { does: 'begin', status: 200, body: 'ok', then: 'more' },
  silent: { does: 'begin', status: 200, body: 'ok', then: 'silence' },
  brokenOff: { does: 'begin', status: 200, body: 'ok', then: 'reset' },
} as const satisfies Record<string, Behaviour>;

export interface WebhookTargetRequest {
  readonly at: number;
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Empty when it was not read. */
  readonly body: string;
}

export interface WebhookTarget {
  readonly url: string;
  readonly port: number;
  readonly requests: WebhookTargetRequest[];
  /** Sets the behaviour for the next requests; replaces an earlier script. */
  behave(next: Behaviour | readonly Behaviour[]): void;
  connections(): { readonly open: number; readonly ever: number };
  stop(): Promise<void>;
}

export interface WebhookTargetOptions {
  /** The behaviour after the script. */
  readonly otherwise?: Behaviour;
  readonly port?: number;
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
  readonly now?: () => number;
  readonly onRequest?: (request: WebhookTargetRequest) => void;
}

/** A webhook target on 127.0.0.1 whose behaviour is scripted. */
export const startWebhookTarget = async (options: WebhookTargetOptions = {}): Promise<WebhookTarget> => {
  const { otherwise = behaviours.ok, port = 0, tls, now = Date.now, onRequest } = options;
  const requests: WebhookTargetRequest[] = [];
  const open = new Set<Socket>();
  let ever = 0;
  let script: Behaviour[] = [];

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const behaviour = script.shift() ?? otherwise;
    const unread = behaviour.does === 'reset' && behaviour.when === 'before the body';
    const at = now();
    const body = unread ? '' : await text(req);
    const request = { at, method: req.method ?? '', path: req.url ?? '', headers: req.headers, body };
    requests.push(request);
    onRequest?.(request);
    await perform(behaviour, res);
  };
  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    // The client may disconnect at any time; that is not an error.
    handle(req, res).catch(() => req.socket.destroy());
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  // Clients close idle connections themselves; Node's 5 s would meet a request of one that was busy.
  server.keepAliveTimeout = 65_000;
  server.on('connection', (socket: Socket) => {
    ever += 1;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const listening = (server.address() as AddressInfo).port;

  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${String(listening)}`,
    port: listening,
    requests,
    behave: (next) => {
      script = [next].flat();
    },
    connections: () => ({ open: open.size, ever }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
};

const perform = async (behaviour: Behaviour, res: ServerResponse): Promise<void> => {
  switch (behaviour.does) {
    case 'hang':
      return;
    case 'reset':
      res.req.socket.resetAndDestroy();
      return;
    case 'answer':
      if (behaviour.afterMs !== undefined) await pause(behaviour.afterMs, undefined, { ref: false });
      res.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
      return;
    case 'begin':
      res.writeHead(behaviour.status, { 'content-type': 'text/plain' });
      await new Promise((written) => res.write(behaviour.body, written));
      if (behaviour.then === 'reset') res.req.socket.destroy();
      if (behaviour.then === 'more') await writeForEver(res);
  }
};

const writeForEver = async (res: ServerResponse): Promise<void> => {
  const more = '.'.repeat(16_384);
  while (!res.destroyed) {
    await new Promise<void>((resolve) => {
      res.once('close', resolve);
      res.write(more, () => {
        res.off('close', resolve);
        resolve();
      });
    });
  }
};

/** By hand: `node dist/simulators/webhookTarget.js 9000 hang` prints what arrives. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [port = '9000', name = 'ok'] = process.argv.slice(2);
  const otherwise = new Map<string, Behaviour>(Object.entries(behaviours)).get(name);
  if (otherwise === undefined) throw new Error(`none of ${Object.keys(behaviours).join(', ')}: ${name}`);
  const { url } = await startWebhookTarget({ otherwise, port: Number(port), onRequest: console.log });
  console.log(`${url} answers: ${name}`);
}
