import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { blockListOf, isListed } from '../addresses.js';
import { Problem } from '../problem.js';

/** Where clients reach the service, as the request tells it. */
export interface Origin {
  /** `https://api.example.org` */
  readonly url: string;
  /** The headers that decided, for `Vary`. */
  readonly vary: string;
}

export type OriginOf = (req: IncomingMessage) => Origin;

/** A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const isHost = (text: string): boolean => {
  const [, name = '', inBrackets, port = '0'] =
    /^(\[(.+)\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?\.?)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return name !== '' && Number(port) <= 65_535 && (inBrackets === undefined || isIPv6(inBrackets));
};

/** `X-Forwarded-*` counts only from the named proxies. A host that is none is refused, never reflected. */
export const makeOriginOf = (trustedProxies: readonly string[]): OriginOf => {
  const proxies = blockListOf(trustedProxies);
  return (req) => {
    const trusted = isListed(proxies, req.socket.remoteAddress ?? '');
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
