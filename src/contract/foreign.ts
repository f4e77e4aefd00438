import { formatNames } from 'ajv-formats/dist/formats.js';
import { isObject, jsonMedia, patternFault } from './document.js';

/**
 * A contract that was written for another service, as a mock or a proxy can use it: what would only be refused, and
 * does not matter to them, is left out or replaced by the nearest thing that is supported.
 */

type Fields = Record<string, unknown>;

/** What is done to a contract before it is checked. */
export interface Adaptation {
  /** The text that is served. */
  text(text: string, document: unknown): string;
  /** What surrounds the operations; `components` are as written. */
  head(head: Fields, securitySchemes: unknown): Fields;
  /** One operation, whose references are resolved. `here` is its name if it has none. */
  operation(
    definition: unknown,
    here: string,
    pathParameters: readonly string[],
    refuse: (what: string) => never,
  ): unknown;
  /** Do recursive schemas end where they begin again, and may paths have servers of their own? */
  readonly isForgiving: boolean;
}

/** For our own contracts, which mean what they say. */
export const asWritten: Adaptation = {
  text: (text) => text,
  // Only what operations use of the components is resolved, with them.
  head: ({ components, ...head }, securitySchemes) => ({
    ...head,
    components: components && (securitySchemes ? { securitySchemes } : {}),
  }),
  operation: (definition) => definition,
  isForgiving: false,
};

/** For contracts that were written for other services. */
export const adapted: Adaptation = {
  text: (text, document) => withServer(text, document),
  head: (head, securitySchemes) => adaptHead(head, securitySchemes),
  operation: (definition, here, pathParameters, refuse) => {
    if (expandedSize(definition) > maxExpandedSize)
      refuse(`${here}: its schemas are too large with all references resolved`);
    return adaptOperation(definition, here, pathParameters);
  },
  isForgiving: true,
};

/** A mock accepts any key; a proxy checks that there is one. */
const adaptScheme = (scheme: unknown): unknown => {
  if (!isObject(scheme) || scheme['type'] === 'apiKey') return scheme;
  const isBearer = scheme['type'] !== 'http' || String(scheme['scheme']).toLowerCase() === 'bearer';
  return isBearer
    ? { type: 'http', scheme: 'bearer' }
    : { type: 'apiKey', in: 'header', name: 'Authorization' };
};

/** Optional security counts as none. */
const adaptSecurity = (security: unknown): unknown =>
  Array.isArray(security) && security.some((one) => isObject(one) && Object.keys(one).length === 0)
    ? []
    : security;

const adaptHead = ({ security, components: _written, ...head }: Fields, schemes: unknown): Fields => ({
  ...head,
  ...(security === undefined ? {} : { security: adaptSecurity(security) }),
  components: isObject(schemes) ? { securitySchemes: mapFields(schemes, adaptScheme) } : {},
});

const mapFields = (fields: Fields, map: (value: unknown, name: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value, name)]));

const adaptOperation = (definition: unknown, here: string, pathParameters: readonly string[]): unknown => {
  if (!isObject(definition)) return definition;
  const { callbacks: _callbacks, servers: _servers, security, ...operation } = definition;
  const written = Array.isArray(operation['parameters']) ? operation['parameters'].filter(isObject) : [];
  const parameters = written.map(adaptParameter);
  const missing = pathParameters
    .filter((name) => !written.some((one) => one['in'] === 'path' && one['name'] === name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return {
    operationId: here,
    ...operation,
    ...(security === undefined ? {} : { security: adaptSecurity(security) }),
    parameters: [
      ...parameters.filter(({ in: place, name }) => isKnown(place, name, pathParameters)),
      ...missing,
    ],
    ...(isObject(operation['requestBody']) ? adaptRequestBody(operation['requestBody']) : {}),
    responses: adaptResponses(operation['responses']),
  };
};

const isKnown = (place: unknown, name: unknown, pathParameters: readonly string[]): boolean =>
  place !== 'path' || pathParameters.includes(String(name));

/** A parameter that could not be read is any text. */
const adaptParameter = ({ content: _content, style: _style, explode, ...parameter }: Fields): Fields => {
  const schema = adaptSchema(parameter['schema'], 'request');
  const isSimple = isObject(schema) && schema['type'] !== 'object' && _content === undefined;
  const isList = isSimple && schema['type'] === 'array';
  const isInCookie = parameter['in'] === 'cookie';
  return {
    ...parameter,
    ...(parameter['in'] === 'path' ? { required: true } : {}),
    ...(isSimple ? {} : { required: parameter['in'] === 'path' }),
    ...(isList && (isInCookie || explode === false) ? { explode: false } : {}),
    schema: isSimple ? schema : {},
  };
};

/** One media type is served: JSON, or else the first. */
const adaptRequestBody = (body: Fields): { requestBody?: Fields } => {
  const content = adaptContent(body['content'], 'request');
  const entries = Object.entries(content).filter(([media]) => !media.includes('*'));
  const chosen = entries.find(([media]) => media === jsonMedia) ?? entries[0];
  return chosen
    ? { requestBody: { ...body, content: Object.fromEntries([chosen]) } }
    : { requestBody: { content: { 'application/octet-stream': {} } } };
};

/** `default` and `4XX` become a status that nothing else documents. */
const adaptResponses = (responses: unknown): unknown => {
  if (!isObject(responses)) return responses;
  const exact = Object.entries(responses).filter(([status]) => /^[1-5]\d\d$/.test(status));
  const isSuccess = exact.some(([status]) => /^[23]/.test(status));
  const ranges = Object.entries(responses).flatMap(([status, response]): [string, unknown][] => {
    if (/^[1-5]XX$/i.test(status)) return [[`${status[0] ?? ''}00`, response]];
    return status === 'default' ? [[isSuccess ? '500' : '200', response]] : [];
  });
  return mapFields(Object.fromEntries([...ranges, ...exact]), (response) => {
    if (!isObject(response)) return response;
    const headers = isObject(response['headers']) ? mapFields(response['headers'], adaptHeader) : undefined;
    return {
      description: '',
      ...response,
      ...(headers ? { headers } : {}),
      ...(isObject(response['content']) ? { content: adaptContent(response['content'], 'response') } : {}),
    };
  });
};

const adaptHeader = (header: unknown): unknown =>
  isObject(header) ? { ...header, schema: adaptSchema(header['schema'], 'response') ?? {} } : header;

/** Media types without their parameters. Any type may be JSON, and a mock answers with that. */
const adaptContent = (content: unknown, side: Side): Fields => {
  if (!isObject(content)) return {};
  const adapted = Object.fromEntries(
    Object.entries(content).map(([media, described]) => {
      const fields = isObject(described) ? described : {};
      const schema = adaptSchema(fields['schema'], side) ?? {};
      return [media.split(';')[0]?.trim().toLowerCase() ?? '', { ...fields, schema }];
    }),
  );
  const any = adapted['*/*'];
  return any && !adapted[jsonMedia] ? { [jsonMedia]: any, ...adapted } : adapted;
};

type Side = 'request' | 'response';

/** Schemas are shared between operations, and large ones between many. */
const adaptedSchemas = { request: new WeakMap<object, Fields>(), response: new WeakMap<object, Fields>() };

const types = ['integer', 'string', 'object', 'array', 'boolean', 'number'];

const adaptSchema = (schema: unknown, side: Side): Fields | undefined => {
  if (!isObject(schema)) return undefined;
  const known = adaptedSchemas[side].get(schema);
  if (known) return known;
  const adapted: Fields = {};
  adaptedSchemas[side].set(schema, adapted);
  for (const [name, value] of Object.entries(schema)) {
    const kept = adaptKeyword(name, value, schema, side);
    if (kept !== undefined) adapted[name] = kept;
  }
  Object.assign(
    adapted,
    adaptExclusive(schema, 'minimum', 'exclusiveMinimum', Math.max),
    adaptExclusive(schema, 'maximum', 'exclusiveMaximum', Math.min),
  );
  return adapted;
};

/** The numbers of OpenAPI 3.1, which stand in many contracts of 3.0. */
const adaptExclusive = (
  schema: Fields,
  bound: string,
  key: string,
  tighter: (...bounds: number[]) => number,
): Fields => {
  const { [bound]: inclusive, [key]: exclusive } = schema;
  if (typeof exclusive !== 'number') return {};
  const limit = typeof inclusive === 'number' ? tighter(inclusive, exclusive) : exclusive;
  return limit === exclusive ? { [bound]: limit, [key]: true } : {};
};

/** Extension keys of others may have our names and mean something else. */
const isLeftOut = (name: string): boolean =>
  name.startsWith('x-') || ['readOnly', 'writeOnly', 'discriminator', 'xml', 'externalDocs'].includes(name);

const adaptKeyword = (name: string, value: unknown, schema: Fields, side: Side): unknown => {
  if (isLeftOut(name)) return undefined;
  switch (name) {
    case 'type':
      return types.includes(String(value)) ? value : undefined;
    case 'format':
      return formatNames.some((format) => format === value) ? value : undefined;
    case 'pattern':
      return patternFault(value) === undefined ? value : undefined;
    case 'nullable':
      return types.includes(String(schema['type'])) ? value : undefined;
    case 'required':
      return adaptRequired(value, schema, side);
    case 'enum':
      return Array.isArray(value) && value.length > 0 ? [...new Set(value as unknown[])] : undefined;
    case 'default':
      return undefined;
    case 'exclusiveMinimum':
      return value === true && typeof schema['minimum'] === 'number' ? true : undefined;
    case 'exclusiveMaximum':
      return value === true && typeof schema['maximum'] === 'number' ? true : undefined;
    case 'properties':
      return isObject(value) ? mapFields(value, (field) => adaptSchema(field, side) ?? {}) : undefined;
    case 'items':
    case 'not':
      return adaptSchema(value, side);
    case 'additionalProperties':
      return typeof value === 'boolean' ? value : adaptSchema(value, side);
    case 'allOf':
    case 'oneOf':
    case 'anyOf':
      return Array.isArray(value) && value.length > 0
        ? value.map((part) => adaptSchema(part, side) ?? {})
        : undefined;
    default:
      return value;
  }
};

/** A request does not have what is only read, a response not what is only written. */
const adaptRequired = (required: unknown, { properties }: Fields, side: Side): unknown => {
  if (!Array.isArray(required)) return undefined;
  const keyword: 'readOnly' | 'writeOnly' = side === 'request' ? 'readOnly' : 'writeOnly';
  const fields = isObject(properties) ? properties : {};
  return [...new Set(required as unknown[])].filter((name) => {
    const field = fields[String(name)];
    return typeof name === 'string' && !(isObject(field) && field[keyword] === true);
  });
};

const sizes = new WeakMap<object, number>();

/**
 * How many values there are in a value, with those that are shared counted each time: what it takes to compile a
 * schema of it. A contract of some thousand lines can have billions of them.
 */
const expandedSize = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = Object.values(value).reduce<number>((sum, field) => sum + expandedSize(field), 1);
  sizes.set(value, size);
  return size;
};

/** Larger operations take seconds and hundreds of megabytes each. */
const maxExpandedSize = 20_000;

/** A contract without a server has the one that serves it. */
const withServer = (text: string, document: unknown): string => {
  if (!isObject(document) || document['servers'] !== undefined) return text;
  return text.trimStart().startsWith('{')
    ? text.replace('{', '{"servers":[{"url":"/"}],')
    : `${text}\nservers:\n  - url: /\n`;
};
