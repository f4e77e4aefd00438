import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, type Server, type Socket } from 'node:net';
import { unixPeer } from '../lib/addresses.js';
import { errorCode } from '../lib/errorCode.js';
import { SocketPathError } from '../lib/socketPathError.js';

/** Where a server listens. */
export type ListenTarget =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  /** A Unix socket, and the permissions of its file. */
  | { readonly kind: 'unix'; readonly path: string; readonly mode: number }
  /** A socket that systemd has opened and passed on. */
  | { readonly kind: 'inherited'; readonly fd: number };

/** Where a server listens now. */
export interface BoundAddress {
  /** Host and port for addresses; a Unix socket has none, and its clients may name any. */
  readonly host: string;
  /** Clients of a Unix socket have no address. */
  readonly isUnix: boolean;
  /**
   * The path of a Unix socket; undefined for an address,
   * and for a socket from systemd, whose path is not known.
   */
  readonly socket?: string;
}

/** Listens, and resolves with where it does. */
export const listenAt = async (
  server: Server,
  target: ListenTarget,
  backlog: number,
): Promise<BoundAddress> => {
  if (target.kind === 'unix') await removeStaleSocket(target.path);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (target.kind === 'tcp') server.listen({ host: target.host, port: target.port, backlog }, resolve);
    else if (target.kind === 'unix') server.listen({ path: target.path, backlog }, resolve);
    else server.listen({ fd: target.fd }, resolve);
  });
  // Node removes the file again when the server is closed.
  if (target.kind === 'unix') chmodSync(target.path, target.mode);
  const bound = server.address();
  if (bound !== null && typeof bound === 'object' && 'port' in bound)
    return {
      host: `${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${String(bound.port)}`,
      isUnix: false,
    };
  return { host: 'localhost', isUnix: true, ...(target.kind === 'unix' && { socket: target.path }) };
};

/** Gives a client of a Unix socket, which has no address, one that settings can name. */
export const nameUnixPeer = (socket: Socket): void => {
  Object.defineProperty(socket, 'remoteAddress', { value: unixPeer });
};

/** How long a program at a Unix socket may take to accept a connection. */
const answerTimeoutMs = 2000;

/** Removes the file that a killed process has left. Throws `SocketPathError` when anything else is there. */
const removeStaleSocket = async (path: string): Promise<void> => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new SocketPathError('not-a-socket');
  if (await isAnswered(path)) throw new SocketPathError('in-use');
  unlinkSync(path);
};

/** Only a refused connection shows that nobody listens: where it can't be tried, there may be a listener. */
const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect({ path, timeout: answerTimeoutMs });
    const answered = (): void => {
      socket.destroy();
      resolve(true);
    };
    socket.once('connect', answered);
    socket.once('timeout', answered);
    socket.once('error', (error) => {
      const code = errorCode(error);
      if (code === 'EAGAIN') answered();
      else if (code === 'ECONNREFUSED' || code === 'ENOENT') resolve(false);
      else reject(error);
    });
  });
