import type { IncomingHttpHeaders } from 'node:http';

/** A request with its complete body. */
export interface ConsoleRequest {
  readonly method: string;
  /** As the console sees it, without the path of the cloud connector. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly cookies: ReadonlyMap<string, string>;
  readonly body: string;
  /** Through the cloud connector, or directly. */
  readonly via: 'local' | 'cloud';
  /** The named parts of the route's pattern. */
  readonly params: Readonly<Record<string, string>>;
}

type Headers = Readonly<Record<string, string | string[]>>;

export interface ConsoleReply {
  readonly status: number;
  readonly headers: Headers;
  /** Long bodies are sent in parts. */
  readonly body: string | Iterable<string>;
  /** The requested action failed, whatever the status is. */
  readonly refused: boolean;
  /** Where it shows created vouchers, if it does. */
  readonly created?: CreatedVouchers;
}

interface CreatedVouchers {
  /** The fields that lead to their list; none where the body is the list. */
  readonly path: readonly string[];
  /** The field of a voucher that is its code. Default: `code`. */
  readonly code?: string;
}

/** The kinds that faults and counts distinguish. */
export type RequestKind = 'login' | 'probe' | 'create' | 'delete' | 'other';

export interface Route {
  readonly method: string;
  /** `/api/s/:site/stat/voucher`. */
  readonly path: string;
  /** Its name in the counts; depends on the request where one path has several actions. */
  readonly name: string | ((call: ConsoleRequest) => string);
  readonly kind: RequestKind | ((call: ConsoleRequest) => RequestKind);
  handle(call: ConsoleRequest): ConsoleReply;
}

export const route = (
  method: Route['method'],
  path: Route['path'],
  name: Route['name'],
  handle: Route['handle'],
  kind: Route['kind'] = 'other',
): Route => ({ method, path, name, handle, kind });

export const jsonReply = (status: number, body: unknown, headers: Headers = {}): ConsoleReply => ({
  status,
  headers: { 'content-type': 'application/json;charset=UTF-8', ...headers },
  body: JSON.stringify(body),
  refused: status >= 300,
});

export const htmlReply = (status: number, body: string, headers: Headers = {}): ConsoleReply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body,
  refused: status >= 300,
});

export const redirectReply = (status: 302 | 303, location: string): ConsoleReply =>
  htmlReply(status, '', { location });

/** The body as JSON; undefined if it is not JSON. */
export const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
};

export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first matching route, with the named parts of the path. */
export type Router = (
  method: string,
  path: string,
) => { readonly route: Route; readonly params: Readonly<Record<string, string>> } | undefined;

export const makeRouter = (routes: readonly Route[]): Router => {
  const compiled = routes.map((known) => ({
    known,
    pattern: new RegExp(`^${known.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`),
  }));
  return (method, path) => {
    for (const { known, pattern } of compiled) {
      const match = known.method === method ? pattern.exec(path) : null;
      if (match) return { route: known, params: decoded(match.groups ?? {}) };
    }
    return undefined;
  };
};

const decoded = (params: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodePart(value)]));

/** Decodes a part of a path; unchanged if its escapes are invalid. */
export const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
