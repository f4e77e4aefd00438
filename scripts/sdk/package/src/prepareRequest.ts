import {
  toCookies,
  toForm,
  toMultipart,
  toQuery,
  toSimple,
  type ParameterStyle,
  type ParameterStyles,
} from './serialise.js';

type Values = Readonly<Record<string, unknown>>;

/** What the generated client does not know of operations, by request: `POST /vouchers`. */
export interface OperationFacts {
  /** Those with an `Idempotency-Key`. */
  readonly keyed: ReadonlySet<string>;
  /** How parameters and fields of forms are written that are not written as usual, by their place. */
  readonly styles: Readonly<Record<string, { readonly [place in Place]?: ParameterStyles }>>;
}

type Place = 'path' | 'query' | 'header' | 'cookie' | 'urlencoded' | 'multipart';

/** The part of the options of a generated method that the layer changes. */
export interface RequestOptions {
  readonly url: string;
  readonly path?: Values;
  readonly query?: Values;
  readonly querySerializer?: unknown;
  readonly headers?: Headers | Values;
  readonly bodySerializer?: unknown;
  readonly responseStyle?: 'data' | 'fields';
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const asIs = (text: string): string => text;

/** The generated client writes everything else in a path. */
const fillObjects = (url: string, path: Values, styles: ParameterStyles): string =>
  Object.entries(path).reduce((filled, [name, value]) => {
    const how: ParameterStyle = styles[name] ?? {};
    if (!isObject(value) && how.json !== true) return filled;
    return filled.replace(`{${name}}`, () => toSimple(value, how, encodeURIComponent));
  }, url);

const prepareHeaders = (headers: Values, styles: ParameterStyles, cookies: ParameterStyles): Values =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const how: ParameterStyle = styles[name] ?? {};
      if (name === 'Cookie' && isObject(value)) return [name, toCookies(value, cookies)];
      const isWritten = isObject(value) || (how.json === true && value !== undefined);
      return [name, isWritten ? toSimple(value, how, asIs) : value];
    }),
  );

const isIdempotencyKey = (name: string): boolean => name.toLowerCase() === 'idempotency-key';

/** Writes parameters, cookies and forms as the contract wants them, and adds an `Idempotency-Key`. */
export const prepareRequest = (
  { keyed, styles: allStyles }: OperationFacts,
  method: string,
  options: RequestOptions,
): RequestOptions => {
  const { url, path = {}, query, querySerializer } = options;
  const request = `${method} ${url}`;
  const styles = allStyles[request] ?? {};
  const { urlencoded, multipart } = styles;
  const given: Values =
    options.headers instanceof Headers ? Object.fromEntries(options.headers) : (options.headers ?? {});
  const needsKey = keyed.has(request) && !Object.keys(given).some(isIdempotencyKey);
  return {
    ...options,
    url: fillObjects(url, path, styles.path ?? {}),
    // The generated client adds credentials to it, and loses them where there is none.
    query: { ...query },
    querySerializer: typeof querySerializer === 'function' ? querySerializer : toQuery(styles.query ?? {}),
    headers: {
      ...prepareHeaders(given, styles.header ?? {}, styles.cookie ?? {}),
      ...(needsKey && { 'Idempotency-Key': crypto.randomUUID() }),
    },
    ...(urlencoded && { bodySerializer: (body: Values) => toForm(body, urlencoded) }),
    ...(multipart && { bodySerializer: (body: Values) => toMultipart(body, multipart) }),
  };
};
