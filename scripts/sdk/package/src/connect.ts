import { ApiError } from './apiError.js';
import { withRetries, type RetryOptions, type FetchRequest } from './retry.js';

/** A secret, or how to get the current one. For HTTP Basic it is `user:password`. */
export type Credential = string | (() => string | undefined | Promise<string | undefined>);

export interface ConnectOptions<Scheme extends string = string> {
  /** What the paths of the contract are appended to: `https://example.org` or `https://example.org/api`. */
  readonly baseUrl: string;
  /** The credential for the contract's first security scheme, or credentials by the names of their schemes. */
  readonly auth?: Credential | { readonly [name in Scheme]?: Credential };
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: RetryOptions;
  /** Another fetch than the global one. */
  readonly fetch?: FetchRequest;
}

/** A security scheme, as the generated client asks for its credential. */
export interface AskedScheme {
  readonly type: 'apiKey' | 'http';
  readonly in?: 'header' | 'query' | 'cookie';
  readonly name?: string;
  readonly scheme?: 'basic' | 'bearer';
}

/** The part of a generated client that the layer uses. */
export interface GeneratedClient {
  setConfig(config: {
    baseUrl: string;
    headers: Record<string, string>;
    auth: (asked: AskedScheme) => Promise<string | undefined>;
    throwOnError: true;
    fetch: typeof fetch;
  }): unknown;
  readonly interceptors: {
    readonly request: {
      use(change: (request: Request, options: { method?: string; url: string }) => Request): unknown;
    };
    readonly error: { use(change: (error: unknown, response: Response | undefined) => unknown): unknown };
  };
}

/** What the layer has to know of a contract. */
export interface ContractFacts {
  /** The security schemes. The first is the one that a single credential is for. */
  readonly schemes: Readonly<Record<string, AskedScheme>>;
  /** The operations with an `Idempotency-Key`: `POST /vouchers`. */
  readonly keyed: ReadonlySet<string>;
}

const isSameScheme = (one: AskedScheme, other: AskedScheme): boolean =>
  one.type === other.type &&
  one.scheme === other.scheme &&
  one.name === other.name &&
  (one.in ?? 'header') === (other.in ?? 'header');

const makeAuth = (schemes: ContractFacts['schemes'], auth: ConnectOptions['auth']) => {
  const [first = ''] = Object.keys(schemes);
  const credentials = typeof auth === 'object' ? auth : { [first]: auth };
  return async (asked: AskedScheme): Promise<string | undefined> => {
    for (const [name, scheme] of Object.entries(schemes)) {
      const credential = isSameScheme(scheme, asked) ? credentials[name] : undefined;
      if (credential !== undefined) return typeof credential === 'function' ? credential() : credential;
    }
    return undefined;
  };
};

/** Cookies are typed as an object, which the generated client writes as JSON. Cookies for security may follow it. */
const toCookies = (header: string): string => {
  for (let end = header.indexOf('}'); end >= 0; end = header.indexOf('}', end + 1)) {
    try {
      const cookies = JSON.parse(header.slice(0, end + 1)) as Record<string, unknown>;
      const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${String(value)}`);
      return `${pairs.join('; ')}${header.slice(end + 1)}`;
    } catch {
      // A brace within a value.
    }
  }
  return header;
};

/** Adds what a generated client does not know: keys, cookies, errors, retries, empty answers. */
export const connect = <C extends GeneratedClient>(
  client: C,
  { schemes, keyed }: ContractFacts,
  options: ConnectOptions,
): C => {
  const { baseUrl, auth, headers = {}, retry, fetch: given } = options;
  const send = withRetries(given ?? ((request) => fetch(request)), retry);
  client.setConfig({
    baseUrl,
    headers,
    auth: makeAuth(schemes, auth),
    throwOnError: true,
    fetch: async (input, init) => {
      const response = await send(new Request(input, init));
      // Without a media type the body would be left unread, and the connection in use.
      if (response.headers.has('Content-Type') || response.body === null) return response;
      const body = await response.blob();
      return new Response(body.size === 0 ? null : body.stream(), response);
    },
  });
  client.interceptors.request.use((request, { method, url }) => {
    const cookies = request.headers.get('Cookie');
    if (cookies?.startsWith('{')) request.headers.set('Cookie', toCookies(cookies));
    if (keyed.has(`${method ?? ''} ${url}`) && !request.headers.has('Idempotency-Key'))
      request.headers.set('Idempotency-Key', crypto.randomUUID());
    return request;
  });
  client.interceptors.error.use((error, response) => (response ? new ApiError(error, response) : error));
  return client;
};
