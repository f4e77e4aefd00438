import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Certificate } from '../certificate.js';
import { answer, write, type Line } from './answer.js';
import { watchConnections } from './connections.js';
import type { Counter } from './counts.js';
import type { Faults } from './faults.js';
import { decodePart, redirect, type Call, type Reply, type Router } from './route.js';
import type { Settings } from './settings.js';

export interface ServerParts {
  readonly settings: Settings;
  readonly certificate: Certificate;
  readonly counter: Counter;
  readonly faults: Faults;
  /** The console's own APIs. */
  readonly api: Router;
  /** What belongs to the simulator only: neither counted nor struck by faults. */
  readonly control: Router;
  notFound(call: Call): Reply;
}

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** The console's one socket: HTTPS in front of all its APIs. */
export const startServer = async (parts: ServerParts): Promise<RunningServer> => {
  const { settings, certificate, counter } = parts;
  const server = createServer({ cert: certificate.cert, key: certificate.key });
  const connections = watchConnections(server);
  server.on('secureConnection', () => counter.handshake());
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    // As on a machine whose clock is another.
    res.sendDate = false;
    res.setHeader('date', new Date(settings.clock()).toUTCString());
    const line = { res, reset: () => connections.reset(req.socket) };
    // The client may leave at any time; that is no fault of the console.
    handle(parts, req, line).catch(() => req.socket.destroy());
  });
  // As long as the proxies of real ones keep connections, so nobody writes to one that is just being closed.
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

const handle = async (parts: ServerParts, req: IncomingMessage, line: Line): Promise<void> => {
  const url = new URL(req.url ?? '/', 'https://console');
  const method = req.method ?? 'GET';
  const control = parts.control(method, url.pathname);
  if (control) return write(line.res, control.route.handle(await read(req, url, control.params)));
  countOpen(parts.counter, line.res);

  const { path, consoleId } = takeConnectorOff(url.pathname, parts.settings);
  const match = parts.api(method, path);
  const call = await read(req, url, match?.params ?? {}, {
    path,
    via: consoleId === undefined ? 'local' : 'cloud',
  });
  const { name, kind } = match?.route ?? { name: 'unknown', kind: 'other' };
  const callKind = typeof kind === 'string' ? kind : kind(call);
  parts.counter.call(typeof name === 'string' ? name : name(call), callKind);
  await answer(line, callKind, parts.faults, () => {
    const reply = reach(parts, call, consoleId, match);
    if (callKind === 'login') parts.counter.login(reply.refused);
    return reply;
  });
};

const reach = (
  { settings, notFound }: ServerParts,
  call: Call,
  consoleId: string | undefined,
  match: ReturnType<Router>,
): Reply => {
  if (settings.redirect !== undefined && match?.route.kind !== 'probe')
    return redirect(302, settings.redirect);
  if (!match || (consoleId !== undefined && consoleId !== settings.consoleId)) return notFound(call);
  return match.route.handle(call);
};

/** Open until all of the answer is handed to the system, or the connection is gone. */
const countOpen = (counter: Counter, res: ServerResponse): void => {
  counter.opened();
  let open = true;
  const closed = (): void => {
    if (open) counter.closed();
    open = false;
  };
  res.once('finish', closed).once('close', closed);
};

/** The cloud connector names the console, and the path on a console as UniFi OS has it. */
const takeConnectorOff = (
  path: string,
  { variant }: Settings,
): { readonly path: string; readonly consoleId: string | undefined } => {
  const [, id, rest] = /^\/v1\/connector\/consoles\/([^/]+)(\/.*)$/.exec(path) ?? [];
  if (id === undefined || rest === undefined) return { path, consoleId: undefined };
  return {
    path: variant === 'unifi-os' ? rest : rest.replace(/^\/proxy\/network/, ''),
    consoleId: decodePart(id),
  };
};

const read = async (
  req: IncomingMessage,
  url: URL,
  params: Call['params'],
  { path, via }: Pick<Call, 'path' | 'via'> = { path: url.pathname, via: 'local' },
): Promise<Call> => ({
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
