import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Description } from '../contract/description.js';
import { isInBlockList, makeBlockList } from '../lib/addresses.js';
import { makeCachedText, type CachedBody } from '../lib/cachedBody.js';
import { Problem } from '../lib/problem.js';
import {
  jsonContentType,
  jsonResponse,
  matchesEtag,
  methodNotAllowedBody,
  sendResponse,
} from './response.js';

/** Serves the description of the API: no key, no limit. */
export interface DescriptionEndpoint {
  handles(path: string): boolean;
  /** Its methods, for `Allow`. */
  readonly methods: readonly string[];
  serve(req: IncomingMessage, res: ServerResponse, path: string): void;
}

const descriptionMethods = ['GET', 'HEAD'];

export const makeDescriptionEndpoint = (
  description: Description,
  basePath: string,
  originOf: ResolveOrigin,
): DescriptionEndpoint => {
  const jsonPath = `${basePath}/openapi.php`;
  const yamlPath = `${basePath}/openapi.yaml`;
  // Bounded, because the Host header is the client's to choose.
  const pages = new LRUCache<string, CachedBody<string>>({ max: 64 });

  const pageFor = (path: string, url: string): CachedBody<string> => {
    const name = `${path} ${url}`;
    const page =
      pages.get(name) ??
      makeCachedText<string>(path === jsonPath ? description.json(url) : description.yaml(url));
    pages.set(name, page);
    return page;
  };

  return {
    methods: descriptionMethods,
    handles: (path) => path === jsonPath || path === yamlPath,
    serve: (req, res, path) => {
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        sendResponse(
          req,
          res,
          jsonResponse(405, methodNotAllowedBody, ['Allow', descriptionMethods.join(', ')]),
        );
        return;
      }
      let origin: Origin;
      try {
        origin = originOf(req);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        sendResponse(req, res, jsonResponse(400, { error: error.code, message: error.message }));
        return;
      }
      const page = pageFor(path, origin.url + basePath);
      const headers = ['ETag', page.etag, 'Vary', origin.vary, 'Access-Control-Allow-Origin', '*'];
      if (matchesEtag(req, page.etag)) {
        res.writeHead(304, headers).end();
        return;
      }
      const type = path === jsonPath ? jsonContentType : 'application/yaml; charset=utf-8';
      res.writeHead(200, [...headers, 'Content-Type', type, 'Content-Length', String(page.bytes.length)]);
      res.end(page.bytes);
    },
  };
};

/** Where clients reach the service, as the request tells it. */
interface Origin {
  /** `https://api.example.org` */
  readonly url: string;
  /** The headers that decided, for `Vary`. */
  readonly vary: string;
}

export type ResolveOrigin = (req: IncomingMessage) => Origin;

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
