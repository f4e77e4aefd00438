import type { IncomingHttpHeaders } from 'node:http';

/** One request, read to its end. */
export interface ConsoleRequest {
  readonly method: string;
  /** As the console itself would see it: what belongs to the cloud connector is taken off. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly cookies: ReadonlyMap<string, string>;
  readonly body: string;
  /** Through the cloud connector, or directly. */
  readonly via: 'local' | 'cloud';
  /** The parts of the path that the route's pattern names. */
  readonly params: Readonly<Record<string, string>>;
}

type Headers = Readonly<Record<string, string | string[]>>;

export interface ConsoleReply {
  readonly status: number;
  readonly headers: Headers;
  /** Long bodies come in parts. */
  readonly body: string | Iterable<string>;
  /** The call did not do what it asks for, whatever the status says. */
  readonly refused: boolean;
  /** Where the answer shows vouchers that were just created: the field that holds their list. */
  readonly created?: 'vouchers' | 'data';
}

/** What faults and counts tell apart. */
export type RequestKind = 'login' | 'probe' | 'create' | 'delete' | 'other';

export interface Route {
  readonly method: string;
  /** `/api/s/:site/stat/voucher`. */
  readonly path: string;
  /** What the counts call it; decided by the call where one path does several things. */
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

/** The body as JSON; undefined when it is none. */
export const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
};

export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first route that fits, with the named parts of the path. */
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

/** A part of a path without its escapes; as it is when they are wrong. */
export const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
