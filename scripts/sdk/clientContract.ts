import { readFileSync } from 'node:fs';
import { readContractSource } from '../../src/contract/files/bundle.js';
import { isObject, methods } from '../../src/contract/document.js';
import { ContractError, pointerOf, type Path, type Source } from '../../src/contract/source.js';
import type { ParameterStyle, ParameterStyles } from './package/src/serialise.js';

type Fields = Record<string, unknown>;

/** A security scheme as the generated client names it. */
export interface AuthScheme {
  readonly type: 'apiKey' | 'http';
  readonly in?: string;
  readonly name?: string;
  readonly scheme?: string;
}

/** A contract as the generator gets it, and what only our layer of the client needs of it. */
export interface ClientContract {
  readonly document: Fields;
  readonly title: string;
  readonly version: string;
  /** By name, the one that most operations use first. */
  readonly schemes: Readonly<Record<string, AuthScheme>>;
  /** `POST /vouchers.php`: operations that have an Idempotency-Key. */
  readonly keyed: readonly string[];
  /** How parameters and fields are written where that is not the standard of their place, by operation and place. */
  readonly styles: Readonly<Record<string, Readonly<Record<string, ParameterStyles>>>>;
}

const asFields = (value: unknown): Fields => (isObject(value) ? value : {});

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

const textOf = (value: unknown, standard: string): string => (typeof value === 'string' ? value : standard);

/** Throws a `ContractError` with its place for a reference that leads nowhere. */
const checkReferences = (source: Source): void => {
  const visit = (node: unknown, path: Path): void => {
    if (typeof node !== 'object' || node === null) return;
    const reference = '$ref' in node && typeof node.$ref === 'string' ? node.$ref : undefined;
    const fault = source.faultOf?.(node);
    if (fault) throw fault;
    if (reference?.startsWith('#') && valueAt(source.document, reference) === undefined)
      throw new ContractError(`$ref "${reference}" leads nowhere`, source.at([...path, '$ref']));
    for (const [name, value] of Object.entries(node)) visit(value, [...path, name]);
  };
  visit(source.document, []);
};

const valueAt = (document: unknown, reference: string): unknown =>
  (pointerOf(reference) ?? ['']).reduce<unknown>((node, name) => {
    if (Array.isArray(node)) return (node as unknown[])[Number(name)];
    return asFields(node)[name];
  }, document);

/** Follows references within the document. */
const makeResolve =
  (document: Fields) =>
  (node: unknown): Fields => {
    let current = asFields(node);
    for (let steps = 0; typeof current['$ref'] === 'string' && steps < 20; steps++)
      current = asFields(valueAt(document, current['$ref']));
    return current;
  };

const isIdempotencyKey = (parameter: Fields): boolean =>
  parameter['in'] === 'header' && textOf(parameter['name'], '').toLowerCase() === 'idempotency-key';

/** The generator knows no cookies. As one header with an object they are typed; the layer writes them as cookies. */
const cookieHeader = (cookies: readonly Fields[]): Fields => {
  const required = cookies.filter((cookie) => cookie['required'] === true).map((cookie) => cookie['name']);
  return {
    name: 'Cookie',
    in: 'header',
    required: required.length > 0,
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        cookies.map((cookie) => [
          String(cookie['name']),
          {
            ...asFields(withoutStyle(cookie)['schema']),
            description: textOf(cookie['description'], 'A cookie'),
          },
        ]),
      ),
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
  };
};

/** The keywords that say how a value is written. */
const styleOf = ({ style, explode, allowReserved, content }: Fields): ParameterStyle => ({
  ...(typeof style === 'string' ? { style } : {}),
  ...(typeof explode === 'boolean' ? { explode } : {}),
  ...(allowReserved === true ? { allowReserved } : {}),
  ...(Object.keys(asFields(content)).some(isJson) ? { json: true } : {}),
});

const isJson = (mediaType: string): boolean => /^application\/(?:[\w.+-]+\+)?json\b/i.test(mediaType);

const isUsual = (style: ParameterStyle): boolean => Object.keys(style).length === 0;

const stylesIn = (described: readonly (readonly [name: string, style: ParameterStyle])[]): ParameterStyles =>
  Object.fromEntries(described.filter(([, style]) => !isUsual(style)));

/** The layer writes parameters itself; the generated code for some styles would not even compile. */
const withoutStyle = (parameter: Fields): Fields => {
  const { style: _style, explode: _explode, allowReserved: _allowReserved, content, ...rest } = parameter;
  const [media] = Object.values(asFields(content));
  return media === undefined ? rest : { ...rest, schema: asFields(media)['schema'] ?? {} };
};

const places = ['path', 'query', 'header', 'cookie'];

/** The generator takes the first media type that is JSON, or else the first. */
const formOf = (content: Fields): readonly [place: string, media: Fields] | undefined => {
  const types = Object.keys(content);
  const taken = types.find(isJson) ?? types[0] ?? '';
  const media = asFields(content[taken]);
  if (/^multipart\/form-data\b/i.test(taken)) return ['multipart', media];
  return /^application\/x-www-form-urlencoded\b/i.test(taken) ? ['urlencoded', media] : undefined;
};

/** What the layer has to know of how an operation is asked, by place. */
const stylesOf = (parameters: readonly Fields[], body: Fields): Record<string, ParameterStyles> => {
  const form = formOf(asFields(body['content']));
  const fields = Object.entries(asFields(form?.[1]['encoding'])).map(
    ([name, encoding]) => [name, styleOf(asFields(encoding))] as const,
  );
  const all = [
    ...places.map((place) => {
      const there = parameters.filter((parameter) => parameter['in'] === place);
      return [place, stylesIn(there.map((one) => [String(one['name']), styleOf(one)]))] as const;
    }),
    ...(form ? [[form[0], stylesIn(fields)] as const] : []),
  ];
  return Object.fromEntries(all.filter(([, styles]) => Object.keys(styles).length > 0));
};

/** Keywords whose values are data. */
const data = ['example', 'examples', 'default', 'enum', 'const'];

/** Writes schemas as the generator understands them. Changes them in place. */
const adaptSchemas = (node: unknown, components: Fields): void => {
  if (Array.isArray(node)) for (const item of node as unknown[]) adaptSchemas(item, components);
  if (!isObject(node)) return;
  const mapping = asFields(asFields(node['discriminator'])['mapping']);
  for (const [value, name] of Object.entries(mapping))
    if (typeof name === 'string' && Object.hasOwn(components, name))
      mapping[value] = `#/components/schemas/${name}`;
  const { prefixItems, items } = node;
  if (Array.isArray(prefixItems) && isObject(items)) {
    // The generator knows tuples, but not what may follow them.
    node['items'] = { anyOf: [...(prefixItems as unknown[]), items] };
    delete node['prefixItems'];
  }
  for (const [name, value] of Object.entries(node)) if (!data.includes(name)) adaptSchemas(value, components);
};

/** Parameters of the path and of the operation, which take precedence. */
const mergeParameters = (shared: readonly Fields[], own: readonly Fields[]): Fields[] => {
  const isSame = (one: Fields, other: Fields): boolean =>
    one['name'] === other['name'] && one['in'] === other['in'];
  return [...shared.filter((parameter) => !own.some((other) => isSame(parameter, other))), ...own];
};

/** The format of the schema of no body, which OpenAPI has no word for: the generator writes `undefined` for it. */
export const noBody = 'no body';

/** An answer to HEAD has no body, and none with 204 has, even if one is described. */
const withoutBodies = (responses: Fields, method: string, resolve: (node: unknown) => Fields): Fields =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { content, ...rest } = resolve(response);
      const hasBody = method !== 'head' && status !== '204' && Object.keys(asFields(content)).length > 0;
      if (hasBody) return [status, response];
      if (!status.startsWith('2')) return [status, rest];
      return [status, { ...rest, content: { 'application/json': { schema: { format: noBody } } } }];
    }),
  );

const toScheme = (scheme: Fields): AuthScheme | undefined => {
  const { type } = scheme;
  if (type === 'apiKey')
    return {
      type,
      name: String(scheme['name']),
      ...(scheme['in'] === 'header' ? {} : { in: String(scheme['in']) }),
    };
  if (type === 'oauth2' || type === 'openIdConnect') return { type: 'http', scheme: 'bearer' };
  const name = textOf(scheme['scheme'], '').toLowerCase();
  return type === 'http' && ['bearer', 'basic'].includes(name) ? { type, scheme: name } : undefined;
};

const namesIn = (security: unknown): string[] =>
  listOf(security).flatMap((requirement) => Object.keys(asFields(requirement)));

/** Reads a contract, in one file or several, and prepares it for the generator. Throws a `ContractError`. */
export const readClientContract = (file: string): ClientContract => {
  const source = readContractSource(readFileSync(file, 'utf8'), file);
  const refuse = (path: Path, what: string): never => {
    throw new ContractError(what, source.at(path));
  };
  if (!isObject(source.document)) refuse([], 'this is no OpenAPI document');
  const version = asFields(source.document)['openapi'];
  if (!/^3\.[01]\./.test(textOf(version, ''))) refuse(['openapi'], '"openapi" is not a version 3.0 or 3.1');
  checkReferences(source);
  // As JSON: parts that the file shares by aliases are changed for one operation alone.
  const document = JSON.parse(JSON.stringify(source.document)) as Fields;
  const resolve = makeResolve(document);
  adaptSchemas(document, asFields(asFields(document['components'])['schemas']));
  const keyed: string[] = [];
  const styles: Record<string, Record<string, ParameterStyles>> = {};
  const paths = asFields(document['paths']);
  const used = namesIn(document['security']);
  for (const [path, given] of Object.entries(paths)) {
    const item = { ...resolve(given) };
    const shared = listOf(item['parameters']).map(resolve);
    delete item['parameters'];
    paths[path] = item;
    for (const method of methods.filter((name) => name in item)) {
      const operation = { ...asFields(item[method]) };
      item[method] = operation;
      used.push(...namesIn(operation['security']));
      operation['responses'] = withoutBodies(asFields(operation['responses']), method, resolve);
      const parameters = mergeParameters(shared, listOf(operation['parameters']).map(resolve));
      const request = `${method.toUpperCase()} ${path}`;
      if (parameters.some(isIdempotencyKey)) keyed.push(request);
      const own = stylesOf(parameters, resolve(operation['requestBody']));
      if (Object.keys(own).length > 0) styles[request] = own;
      const cookies = parameters.filter((parameter) => parameter['in'] === 'cookie');
      operation['parameters'] = [
        ...parameters
          .filter((parameter) => parameter['in'] !== 'cookie')
          .map((parameter) =>
            isIdempotencyKey(parameter) ? { ...parameter, required: false } : withoutStyle(parameter),
          ),
        ...(cookies.length > 0 ? [cookieHeader(cookies)] : []),
      ];
    }
  }
  const described = asFields(asFields(document['components'])['securitySchemes']);
  const schemes = [...new Set([...used, ...Object.keys(described)])].flatMap((name) => {
    const scheme = toScheme(resolve(described[name]));
    return scheme ? [[name, scheme] as const] : [];
  });
  const info = asFields(document['info']);
  return {
    document,
    title: textOf(info['title'], 'API'),
    version: textOf(info['version'], ''),
    schemes: Object.fromEntries(schemes),
    keyed,
    styles,
  };
};
