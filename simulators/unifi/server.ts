import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Certificate } from '../certificate.js';
import { corruptReply, faultsAfter, faultsBefore, faultsOfVouchers, type FaultInjector } from './faults.js';
import type { RequestCounter } from './requestCounts.js';
import {
  decodePart,
  htmlReply,
  jsonReply,
  redirectReply,
  type ConsoleReply,
  type ConsoleRequest,
  type RequestKind,
  type Router,
} from './router.js';
import type { ConsoleSettings } from './settings.js';

interface ConsoleServerDeps {
  readonly settings: Pick<ConsoleSettings, 'host' | 'port' | 'clock' | 'redirect' | 'variant' | 'consoleId'>;
  readonly certificate: Certificate;
  readonly counter: RequestCounter;
  readonly faults: FaultInjector;
  /** The console's own APIs. */
  readonly api: Router;
  /** Routes of the simulator only: neither counted nor affected by faults. */
  readonly control: Router;
  notFound(call: ConsoleRequest): ConsoleReply;
}

interface ConsoleServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** The console's one socket: HTTPS in front of all its APIs. */
export const startConsoleServer = async (parts: ConsoleServerDeps): Promise<ConsoleServer> => {
  const { settings, certificate, counter } = parts;
  const server = createServer({ cert: certificate.cert, key: certificate.key });
  const connections = trackConnections(server);
  server.on('secureConnection', () => counter.handshake());
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    // The console's clock may differ from this machine's.
    res.sendDate = false;
    res.setHeader('date', new Date(settings.clock()).toUTCString());
    const line = { res, reset: () => connections.reset(req.socket) };
    // The client may disconnect at any time; that is not an error.
    handleRequest(parts, req, line).catch(() => req.socket.destroy());
  });
  // As long as the proxies of real consoles keep connections open, so that clients do not write to one that is being closed.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.port, settings.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        connections.destroyAll();
      }),
  };
};

const handleRequest = async (
  parts: ConsoleServerDeps,
  req: IncomingMessage,
  line: ResponseChannel,
): Promise<void> => {
  const url = new URL(req.url ?? '/', 'https://console');
  const method = req.method ?? 'GET';
  const control = parts.control(method, url.pathname);
  if (control) return writeReply(line.res, control.route.handle(await readRequest(req, url, control.params)));
  countOpen(parts.counter, line.res);

  const { path, consoleId } = stripConnectorPath(url.pathname, parts.settings);
  const match = parts.api(method, path);
  const call = await readRequest(req, url, match?.params ?? {}, {
    path,
    via: consoleId === undefined ? 'local' : 'cloud',
  });
  const { name, kind } = match?.route ?? { name: 'unknown', kind: 'other' };
  const callKind = typeof kind === 'string' ? kind : kind(call);
  parts.counter.call(typeof name === 'string' ? name : name(call), callKind);
  await respond(line, callKind, parts.faults, () => {
    const reply = routeRequest(parts, call, consoleId, match);
    if (callKind === 'login') parts.counter.login(reply.refused);
    return reply;
  });
};

const routeRequest = (
  { settings, notFound }: ConsoleServerDeps,
  call: ConsoleRequest,
  consoleId: string | undefined,
  match: ReturnType<Router>,
): ConsoleReply => {
  if (settings.redirect !== undefined && match?.route.kind !== 'probe')
    return redirectReply(302, settings.redirect);
  if (!match || (consoleId !== undefined && consoleId !== settings.consoleId)) return notFound(call);
  return match.route.handle(call);
};

/** In flight until the whole reply is passed to the operating system, or the connection is closed. */
const countOpen = (counter: RequestCounter, res: ServerResponse): void => {
  counter.opened();
  let open = true;
  const closed = (): void => {
    if (open) counter.closed();
    open = false;
  };
  res.once('finish', closed).once('close', closed);
};

/** The path of the cloud connector holds the console's id and the path on a UniFi OS console. */
const stripConnectorPath = (
  path: string,
  { variant }: Pick<ConsoleSettings, 'variant'>,
): { readonly path: string; readonly consoleId: string | undefined } => {
  const [, id, rest] = /^\/v1\/connector\/consoles\/([^/]+)(\/.*)$/.exec(path) ?? [];
  if (id === undefined || rest === undefined) return { path, consoleId: undefined };
  return {
    path: variant === 'unifi-os' ? rest : rest.replace(/^\/proxy\/network/, ''),
    consoleId: decodePart(id),
  };
};

const readRequest = async (
  req: IncomingMessage,
  url: URL,
  params: ConsoleRequest['params'],
  { path, via }: Pick<ConsoleRequest, 'path' | 'via'> = { path: url.pathname, via: 'local' },
): Promise<ConsoleRequest> => ({
  method: req.method ?? 'GET',
  path,
  query: url.searchParams,
  headers: req.headers,
  cookies: readCookies(req.headers.cookie),
  body: await text(req),
  via,
  params,
});

const readCookies = (header = ''): Map<string, string> =>
  new Map(
    header.split(';').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim(), value.join('=').trim()] as const;
    }),
  );

interface TrackedConnections {
  /** Sends a TCP reset, without TLS's close message. */
  reset(secured: Socket): void;
  destroyAll(): void;
}

/** Tracks the plain sockets below TLS, because only they can be reset. */
const trackConnections = (server: Server): TrackedConnections => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    reset: ({ remotePort, remoteAddress }) => {
      for (const socket of open) {
        if (socket.remotePort === remotePort && socket.remoteAddress === remoteAddress)
          socket.resetAndDestroy();
      }
    },
    destroyAll: () => {
      for (const socket of open) socket.destroy();
    },
  };
};

/** What a reply needs from its connection. */
interface ResponseChannel {
  readonly res: ServerResponse;
  /** Resets the connection, like a host that does not know it. */
  reset(): void;
}

const usualDelayMs = 3000;
/** Longer timers fire at once. */
const longestDelayMs = 2 ** 31 - 1;

const badGateway =
  '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>';

const otherShape = '{"status":"success","result":{"items":[]}}';

/** Handles a request and replies, unless a fault changes that. */
const respond = async (
  { res, reset }: ResponseChannel,
  kind: RequestKind,
  faults: FaultInjector,
  handle: () => ConsoleReply,
): Promise<void> => {
  switch (faults.take(kind, faultsBefore)?.kind) {
    case 'hang':
      return;
    case 'reset-before':
      reset();
      return;
    case 'bad-gateway':
      return writeReply(res, htmlReply(502, badGateway));
    case 'throttled':
      return writeReply(res, jsonReply(429, { error: { code: 429, message: 'Too Many Requests' } }));
    case undefined:
  }
  const done = handle();
  const spoiled = done.created && faults.take('create', faultsOfVouchers);
  const reply = spoiled ? corruptReply(done, spoiled.kind) : done;
  // A refused request did nothing, so losing its reply would mean nothing.
  const after = reply.refused ? undefined : faults.take(kind, faultsAfter);
  switch (after?.kind) {
    case 'slow':
      await pause(Math.min(after.delayMs ?? usualDelayMs, longestDelayMs), undefined, { ref: false });
      return writeReply(res, reply);
    case 'reset-after':
    case 'some-reset':
      reset();
      return;
    case 'truncated':
      return writeTruncated(res, reply);
    case 'wrong-json':
      return writeReply(res, { ...reply, body: otherShape });
    case undefined:
      return writeReply(res, reply);
  }
};

const writeReply = async (res: ServerResponse, { status, headers, body }: ConsoleReply): Promise<void> => {
  if (res.destroyed) return;
  if (typeof body === 'string') {
    res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    return;
  }
  res.writeHead(status, headers);
  await pipeline(Readable.from(body), res);
};

const writeTruncated = async (
  res: ServerResponse,
  { status, headers, body }: ConsoleReply,
): Promise<void> => {
  const bytes = Buffer.from(typeof body === 'string' ? body : [...body].join(''));
  res.writeHead(status, { ...headers, 'content-length': bytes.length });
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  await new Promise((written) => res.write(half, written));
  res.req.socket.destroy();
};
