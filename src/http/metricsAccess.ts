import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { unixPeer } from '../lib/addresses.js';

/**
 * May this client read metrics? With the token, where one is set; otherwise only from this machine itself.
 * A proxy on this machine that names nobody in its headers looks like the machine itself,
 * so that a token must not be optional for anybody.
 */
export const mayReadMetrics = (
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  token: string | undefined,
): boolean => {
  if (token !== undefined) {
    const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    const [a, b] = [Buffer.from(given), Buffer.from(token)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
  const peer = socket.remoteAddress ?? '';
  const local = peer === unixPeer || peer === '::1' || /^(::ffff:)?127\./.test(peer);
  const isForwarded = proxyHeaders.some((name) => headers[name] !== undefined);
  return local && !isForwarded && isLoopbackHost(headers.host ?? '');
};

/** What proxies say for whom they ask. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/**
 * Names of this machine alone; a request that names no host may have been meant for any. A page in a browser
 * on this machine may have any other name point here, and could then read what it gets as its own.
 */
const isLoopbackHost = (host: string): boolean =>
  /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d+)?$/i.test(host);
