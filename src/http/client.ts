import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { isIP, isIPv6 } from 'node:net';
import { InvalidRequest } from '../contract/runtime/invalidRequest.js';
import type { RequestClient } from '../contract/runtime/request.js';
import { isInBlockList, makeBlockList } from '../lib/addresses.js';
import { parseBasePath } from '../lib/basePath.js';

/** Where clients reach the service, as the request tells it. */
export interface Origin {
  /** `https://api.example.org` */
  readonly url: string;
  /** What paths of ours begin with there: what a proxy has removed, and our own base path. */
  readonly basePath: string;
  /** The headers that decided, for `Vary`. */
  readonly vary: string;
}

export type ResolveBasePath = (req: IncomingMessage) => string;
export type ResolveOrigin = (req: IncomingMessage) => Origin;
export type ResolveClient = (req: IncomingMessage) => RequestClient;
/** Does a trusted proxy send the request? */
export type IsFromProxy = (req: IncomingMessage) => boolean;

/** A name, an IPv4 address or an IPv6 address in brackets and without a zone, and perhaps a port. */
const isHost = (text: string): boolean => {
  const [, name = '', inBrackets, port = '0'] =
    /^(\[([^%]+)\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?\.?)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return name !== '' && Number(port) <= 65_535 && (inBrackets === undefined || isIPv6(inBrackets));
};

/** How addresses of the service are found. */
interface AddressOptions {
  /** The proxies whose `X-Forwarded-*` headers count. */
  readonly trustProxy: readonly string[];
  /** The path that everything is below. */
  readonly basePath: string;
  /** Where people reach the service, where the operator has set it. */
  readonly publicUrl?: string | undefined;
}

export const makeIsFromProxy = ({ trustProxy }: Pick<AddressOptions, 'trustProxy'>): IsFromProxy => {
  const proxies = makeBlockList(trustProxy);
  return ({ socket }) => isInBlockList(proxies, socket.remoteAddress ?? '');
};

/**
 * The base path as the client has it. A proxy that removes a prefix names it in `X-Forwarded-Prefix`.
 * One that is not a plain path, or sent more than once, is ignored.
 */
export const makeResolveBasePath = ({ trustProxy, basePath }: AddressOptions): ResolveBasePath => {
  const proxies = makeBlockList(trustProxy);
  return (req) => {
    const removed = req.headers['x-forwarded-prefix'];
    return typeof removed === 'string' && isInBlockList(proxies, req.socket.remoteAddress ?? '')
      ? (parseBasePath(removed.trim()) ?? '') + basePath
      : basePath;
  };
};

/** `X-Forwarded-*` counts only from the named proxies. An invalid host is refused, never reflected. */
export const makeResolveOrigin = (options: AddressOptions): ResolveOrigin => {
  const proxies = makeBlockList(options.trustProxy);
  const resolveBasePath = makeResolveBasePath(options);
  return (req) => {
    const trusted = isInBlockList(proxies, req.socket.remoteAddress ?? '');
    const forwarded = (name: string): string | undefined => {
      const value = trusted ? req.headers[name] : undefined;
      return typeof value === 'string' ? value.split(',')[0]?.trim() : undefined;
    };
    const scheme = forwarded('x-forwarded-proto') ?? ('encrypted' in req.socket ? 'https' : 'http');
    const host = forwarded('x-forwarded-host');
    // Empty is what a proxy forwards of a client without one.
    const name = host === '' ? 'localhost' : (host ?? req.headers.host ?? 'localhost');
    if (!isHost(name)) throw new InvalidRequest('host');
    return {
      url: `${scheme.toLowerCase() === 'https' ? 'https' : 'http'}://${name}`,
      basePath: resolveBasePath(req),
      vary: trusted ? 'Host, X-Forwarded-Host, X-Forwarded-Proto, X-Forwarded-Prefix' : 'Host',
    };
  };
};

/** Who sends a request, and to which address of ours. */
export const makeResolveClient = (options: AddressOptions): ResolveClient => {
  const resolveOrigin = makeResolveOrigin(options);
  const resolveBasePath = makeResolveBasePath(options);
  const proxies = makeBlockList(options.trustProxy);
  return (req) => ({
    address: findAddress(req, proxies),
    // Only where it matters: most requests do not depend on their host.
    get origin() {
      return resolveOrigin(req).url;
    },
    get basePath() {
      return resolveBasePath(req);
    },
    hasFixedUrl: options.publicUrl !== undefined,
    get publicUrl() {
      return options.publicUrl ?? resolveOrigin(req).url + resolveBasePath(req);
    },
    userAgent: req.headers['user-agent'] ?? null,
  });
};

/**
 * The last address before those of trusted proxies: what stands further in front, a client may have made up.
 */
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
