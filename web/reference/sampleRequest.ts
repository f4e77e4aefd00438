// Requests that code samples are made of: those of the contract's examples, and those that were sent from the form.

/** The environment variable that samples take the key from. The one that was entered is in none of them. */
export const keyVariable = 'VOUCHERD_KEY';

/** A header with its value, or with what stands before the key. */
export type SampleHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly prefix: string; readonly isKey: true };

export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly SampleHeader[];
  /** A value that is sent as JSON. */
  readonly body?: unknown;
  /** A body that is sent as it is. */
  readonly bodyText?: string;
}

/** A request as Swagger UI has sent it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** An object of the contract, which nobody has checked here. */
export type Fields = Readonly<Record<string, unknown>>;

/** What an object holds; nothing where there is none. */
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Follows references, which may lead to others. */
const resolve = (contract: Fields, node: unknown): Fields => {
  let here = fieldsOf(node);
  for (let steps = 0; typeof here['$ref'] === 'string' && steps < 10; steps += 1) {
    const names = here['$ref'].slice(2).split('/');
    here = names.reduce<Fields>(
      (at, name) => fieldsOf(at[name.replaceAll('~1', '/').replaceAll('~0', '~')]),
      contract,
    );
  }
  return here;
};

const standardExamples: Fields = { integer: 1, number: 1, boolean: true, array: [], object: {} };

/** The example of a parameter or a body; without one, a value of its type. */
const exampleOf = (contract: Fields, described: Fields): unknown => {
  const schema = resolve(contract, described['schema']);
  const [firstExample] = Object.values(fieldsOf(described['examples']));
  return (
    described['example'] ??
    fieldsOf(firstExample)['value'] ??
    schema['example'] ??
    schema['default'] ??
    listOf(schema['enum'])[0] ??
    standardExamples[textOf(schema['type'])] ??
    'text'
  );
};

const schemesOf = (contract: Fields): Fields => fieldsOf(fieldsOf(contract['components'])['securitySchemes']);

/** The headers of the first way to send a key. */
const keyHeaders = (contract: Fields, security: unknown): SampleHeader[] =>
  Object.keys(fieldsOf(listOf(security)[0])).flatMap((name): SampleHeader[] => {
    const scheme = resolve(contract, schemesOf(contract)[name]);
    if (scheme['type'] === 'http') return [{ name: 'Authorization', prefix: 'Bearer ', isKey: true }];
    return scheme['in'] === 'header' ? [{ name: textOf(scheme['name']), prefix: '', isKey: true }] : [];
  });

/** A parameter as a text: a list or an object as JSON. */
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** An operation with its examples, and without what is optional. */
export const documentedRequest = (
  contract: Fields,
  base: string,
  path: string,
  method: string,
): SampleRequest => {
  const described = fieldsOf(fieldsOf(contract['paths'])[path]);
  const operation = fieldsOf(described[method]);
  const parameters = [...listOf(described['parameters']), ...listOf(operation['parameters'])]
    .map((parameter) => resolve(contract, parameter))
    .filter(({ required }) => required === true)
    .map((parameter) => ({
      place: parameter['in'],
      name: textOf(parameter['name']),
      value: toText(exampleOf(contract, parameter)),
    }));
  const valuesIn = (place: string) => parameters.filter((parameter) => parameter.place === place);
  const filled = valuesIn('path').reduce(
    (text, { name, value }) => text.replaceAll(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = valuesIn('query')
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  const content = fieldsOf(resolve(contract, operation['requestBody'])['content'])['application/json'];
  return {
    method: method.toUpperCase(),
    url: base + filled + (query === '' ? '' : `?${query}`),
    headers: [
      ...keyHeaders(contract, operation['security'] ?? contract['security']),
      ...valuesIn('header').map(({ name, value }) => ({ name, value })),
      ...(content === undefined ? [] : [{ name: 'Content-Type', value: 'application/json' }]),
    ],
    ...(content !== undefined && { body: exampleOf(contract, fieldsOf(content)) }),
  };
};

/** A value only where its JSON is the text again: a number with too many digits, say, stays the text that was sent. */
const bodyOf = (text: string): Pick<SampleRequest, 'body' | 'bodyText'> => {
  try {
    const value: unknown = JSON.parse(text);
    const compact = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    if (JSON.stringify(value) === compact) return { body: value };
  } catch {
    // Malformed: sent as it is, too.
  }
  // Older browsers can't tell half a surrogate pair.
  return { bodyText: 'toWellFormed' in String.prototype ? text.toWellFormed() : text };
};

/** A request as it was sent from the form, without the keys that were entered. */
export const sentRequest = (
  contract: Fields,
  { method, url, headers = {}, body }: SentRequest,
  keys: readonly string[],
): SampleRequest => {
  const withoutKeys = (text: string): string =>
    keys.reduce((cleaned, key) => (key === '' ? cleaned : cleaned.replaceAll(key, keyVariable)), text);
  const schemes = Object.values(schemesOf(contract)).map((scheme) => resolve(contract, scheme));
  const keyNames = [
    'authorization',
    ...schemes.flatMap((scheme) => (scheme['in'] === 'header' ? [textOf(scheme['name']).toLowerCase()] : [])),
  ];
  return {
    method,
    url: withoutKeys(url),
    headers: Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== 'accept')
      .map(([name, value]) => {
        const text = toText(value);
        return keyNames.includes(name.toLowerCase())
          ? { name, prefix: /^bearer /i.test(text) ? 'Bearer ' : '', isKey: true }
          : { name, value: withoutKeys(text) };
      }),
    ...(body === undefined ? {} : bodyOf(withoutKeys(toText(body)))),
  };
};
