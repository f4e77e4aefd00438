import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { isIP, isIPv6 } from 'node:net';
import type { RequestClient } from '../contract/runtime/request.js';
import { isInBlockList, makeBlockList } from '../lib/addresses.js';
import { Problem } from '../errors/problem.js';

/** Where clients reach the service, as the request tells it. */
export interface Origin {
  /** `https://api.example.org` */
  readonly url: string;
  /** The headers that decided, for `Vary`. */
  readonly vary: string;
}

export type ResolveOrigin = (req: IncomingMessage) => Origin;
export type ResolveClient = (req: IncomingMessage) => RequestClient;

/** A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const isHost = (text: string): boolean => {
  const [, name = '', inBrackets, port = '0'] =
    /^(\[(.+)\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?\.?)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return name !== '' && Number(port) <= 65_535 && (inBrackets === undefined || isIPv6(inBrackets));
};

/** `X-Forwarded-*` counts only from the named proxies. An invalid host is refused, never reflected. */
export const makeResolveOrigin = (trustedProxies: readonly string[]): ResolveOrigin => {
  const proxies = makeBlockList(trustedProxies);
  return (req) => {
    const trusted = isInBlockList(proxies, req.socket.remoteAddress ?? '');
    const forwarded = (name: string): string | undefined => {
      const value = trusted ? req.headers[name] : undefined;
      return typeof value === 'string' ? value.split(',')[0]?.trim() : undefined;
    };
    const scheme = forwarded('x-forwarded-proto') ?? ('encrypted' in req.socket ? 'https' : 'http');
    const name = forwarded('x-forwarded-host') ?? req.headers.host ?? 'localhost';
    if (!isHost(name)) throw new Problem('invalid_request', { message: 'Host ungültig' });
    return {
      url: `${scheme === 'https' ? 'https' : 'http'}://${name}`,
      vary: trusted ? 'Host, X-Forwarded-Host, X-Forwarded-Proto' : 'Host',
    };
  };
};

/** Who sends a request, and to which address of ours. */
export const makeResolveClient = (trustedProxies: readonly string[], publicUrl?: string): ResolveClient => {
  const resolveOrigin = makeResolveOrigin(trustedProxies);
  const proxies = makeBlockList(trustedProxies);
  return (req) => ({
    address: findAddress(req, proxies),
    // Only where it matters: most requests do not depend on their host.
    get origin() {
      return resolveOrigin(req).url;
    },
    get publicUrl() {
      return publicUrl ?? resolveOrigin(req).url;
    },
    userAgent: req.headers['user-agent'] ?? null,
  });
};

/** The last address before those of trusted proxies: what stands further in front, a client may have made up. */
const findAddress = (req: IncomingMessage, proxies: BlockList): string => {
  const peer = req.socket.remoteAddress ?? '';
  const header = req.headers['x-forwarded-for'];
  const forwarded = (typeof header === 'string' ? header.split(',') : []).map((text) => text.trim());
  let address = peer;
  while (isInBlockList(proxies, address)) {
    const before = forwarded.pop();
    if (before === undefined || isIP(before) === 0) break;
    address = before;
  }
  return address.replace(/^::ffff:(?=\d+\.)/, '');
};
