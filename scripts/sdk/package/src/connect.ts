import { ApiError } from './apiError.js';
import { prepareRequest, type OperationFacts, type RequestOptions } from './prepareRequest.js';
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
    readonly error: { use(change: (error: unknown, response: Response | undefined) => unknown): unknown };
  };
  readonly sse: object;
}

/** What the layer has to know of a contract. */
export interface ContractFacts extends OperationFacts {
  /** The security schemes. The first is the one that a single credential is for. */
  readonly schemes: Readonly<Record<string, AskedScheme>>;
}

const isSameScheme = (one: AskedScheme, other: AskedScheme): boolean =>
  one.type === other.type &&
  one.scheme === other.scheme &&
  one.name === other.name &&
  (one.in ?? 'header') === (other.in ?? 'header');

/** The generated client encodes every character as one byte. */
const toUtf8 = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

const makeAuth = (schemes: ContractFacts['schemes'], auth: ConnectOptions['auth']) => {
  const [first = ''] = Object.keys(schemes);
  const credentials = typeof auth === 'object' ? auth : { [first]: auth };
  return async (asked: AskedScheme): Promise<string | undefined> => {
    for (const [name, scheme] of Object.entries(schemes)) {
      const credential = isSameScheme(scheme, asked) ? credentials[name] : undefined;
      if (credential === undefined) continue;
      const secret = typeof credential === 'function' ? await credential() : credential;
      return asked.scheme === 'basic' && secret !== undefined ? toUtf8(secret) : secret;
    }
    return undefined;
  };
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

type Send = (options: RequestOptions) => unknown;

/** Changes what methods of the generated client are called with, and how it is sent. */
const intercept = (
  methodsOf: object,
  change: (method: string, options: RequestOptions) => RequestOptions,
  sendWith: (send: Send, options: RequestOptions) => unknown = (send, options) => send(options),
): void => {
  const target = methodsOf as Partial<Record<string, Send>>;
  for (const method of methods) {
    const send = target[method];
    if (send) target[method] = (options) => sendWith(send, change(method.toUpperCase(), options));
  }
};

/** What the generated client answers with if it is asked for more than the body. */
interface Fields {
  readonly data?: unknown;
  readonly response?: Response;
}

/** Asks for the body. The generated client would answer with `null` or `{}` where there is none. */
const sendForBody = async (send: Send, options: RequestOptions): Promise<unknown> => {
  if (options.responseStyle !== 'data') return send(options);
  const { data, response } = (await send({ ...options, responseStyle: 'fields' })) as Fields;
  return response?.body === null ? undefined : data;
};

/** Without a media type the body would be left unread, and the connection in use. */
const isReadHere = ({ headers }: Response): boolean => {
  const type = headers.get('Content-Type');
  return type === null || (/^[^;]*\bjson\b/i.test(type) && headers.get('Content-Length') === '0');
};

/** Adds what a generated client does not know: keys, styles of parameters, errors, retries, empty answers. */
export const connect = <C extends GeneratedClient>(
  client: C,
  facts: ContractFacts,
  options: ConnectOptions,
): C => {
  const { baseUrl, auth, headers = {}, retry, fetch: given } = options;
  const send = withRetries(given ?? ((request) => fetch(request)), retry);
  client.setConfig({
    baseUrl,
    headers,
    auth: makeAuth(facts.schemes, auth),
    throwOnError: true,
    fetch: async (input, init) => {
      const response = await send(new Request(input, init));
      if (response.body === null || !isReadHere(response)) return response;
      const body = await response.blob();
      return new Response(body.size === 0 ? null : body.stream(), response);
    },
  });
  const prepare = (method: string, asked: RequestOptions) => prepareRequest(facts, method, asked);
  intercept(client, prepare, sendForBody);
  intercept(client.sse, prepare);
  client.interceptors.error.use((error, response) => (response ? new ApiError(error, response) : error));
  return client;
};
