import { isAbsolute } from 'node:path';
import type { ListenTarget } from '../http/listen.js';
import { refuseSetting } from './configError.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Linux has 108 bytes for the path of a socket, with a zero at its end. */
const maxPathBytes = 107;

/** A Unix socket to create. */
export interface UnixSocketConfig {
  readonly path: string;
  /** The permissions of its file. */
  readonly mode: number;
}

/**
 * The Unix socket that HOST names: `/run/voucherd.sock` or
 * `unix:/run/voucherd.sock`; undefined for an address.
 */
export const readUnixSocket = (env: Environment, host: string): UnixSocketConfig | undefined => {
  const mode = readMode(env);
  const path = host.startsWith('unix:') ? host.slice('unix:'.length) : host;
  if (path === host && !host.startsWith('/')) return undefined;
  return isAbsolute(path) && !path.includes('\0') && Buffer.byteLength(path) <= maxPathBytes
    ? { path, mode }
    : refuseSetting('HOST', host, `for a socket, an absolute path of at most ${String(maxPathBytes)} bytes`);
};

const readMode = (env: Environment): number => {
  const value = env['SOCKET_MODE'] || '660';
  return /^0?[0-7]{3}$/.test(value)
    ? parseInt(value, 8)
    : refuseSetting('SOCKET_MODE', value, 'permissions in octal, such as 660 or 666');
};

/** systemd passes sockets on from this descriptor. */
const firstInheritedSocket = 3;

/** The descriptor of the socket that systemd has passed on to this process; undefined when there is none. */
export const readInheritedSocket = (env: Environment): number | undefined => {
  const [pid, count] = [env['LISTEN_PID'], env['LISTEN_FDS']];
  if (pid !== String(process.pid) || !count || count === '0') return undefined;
  return count === '1'
    ? firstInheritedSocket
    : refuseSetting('LISTEN_FDS', count, '1: the socket unit must have one ListenStream');
};

/** Where the service listens. */
export const toListenTarget = (config: {
  readonly host: string;
  readonly port: number;
  readonly unixSocket: UnixSocketConfig | undefined;
  readonly inheritedSocket: number | undefined;
}): ListenTarget => {
  if (config.inheritedSocket !== undefined) return { kind: 'inherited', fd: config.inheritedSocket };
  if (config.unixSocket) return { kind: 'unix', ...config.unixSocket };
  return { kind: 'tcp', host: config.host, port: config.port };
};
