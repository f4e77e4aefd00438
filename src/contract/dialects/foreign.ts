import { formatNames } from 'ajv-formats/dist/formats.js';
import { isExpanded } from './discriminators.js';
import {
  isJsonMedia,
  isObject,
  isProblemForm,
  jsonMedia,
  mediaTypeOf,
  patternFault,
  type Parameter,
  type ParameterLocation,
} from '../document.js';
import { adaptEncoding, withUnreadFields } from './foreignEncoding.js';
import { findObjectFault } from '../objectParameters.js';
import { parameterStyles } from '../parameterStyles.js';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './jsonSchema.js';
import { isStatusKey } from '../responses.js';
import { expandedSize, maxExpandedSize } from './recursion.js';

/**
 * A contract that was written for another service, as a mock or a proxy can use it: what would only be
 * refused, and does not matter to them, is left out or replaced by the nearest thing that is supported.
 */

type Fields = Record<string, unknown>;

/** What else matters to the adaptation of an operation. */
interface ForeignContext {
  readonly pathParameters: readonly string[];
  readonly is31: boolean;
}

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
    context: ForeignContext,
    refuse: (what: string) => never,
  ): unknown;
  /** A schema that leads back to itself, under the names that references to it have in operations. */
  recursive(name: string, schema: unknown, is31: boolean): Fields;
  /** Is a schema referred to by its name instead of repeated where it is used? */
  readonly isLarge: (schema: unknown) => boolean;
  /** May paths have servers of their own? */
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
  recursive: (name, schema) => ({ [name]: schema }),
  isLarge: (schema) => expandedSize(schema) > maxRepeatedSize.ofOurs,
  isForgiving: false,
};

/**
 * Contracts have schemas that are used in hundreds of others,
 * which are used in hundreds more: larger ones are shared.
 */
const maxRepeatedSize = { ofOthers: 100, ofOurs: 2_500 };

/** For contracts that were written for other services. */
export const adapted: Adaptation = {
  text: (text, document) => withServer(text, document),
  head: (head, securitySchemes) => adaptHead(head, securitySchemes),
  operation: (definition, here, context, refuse) => {
    if (expandedSize(definition) > maxExpandedSize)
      refuse(`${here}: its schemas are too large with all references resolved`);
    return adaptOperation(definition, here, context);
  },
  recursive: (name, schema, is31) => ({ [name]: adaptSchema(schema, is31) ?? {} }),
  isLarge: (schema) => expandedSize(schema) > maxRepeatedSize.ofOthers,
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

/**
 * Without `webhooks` and extension keys, whose references would lead to nothing. The form of errors stays.
 */
const adaptHead = ({ security, components: _written, ...head }: Fields, schemes: unknown): Fields => ({
  ...Object.fromEntries(
    Object.entries(head).filter(
      ([name, value]) =>
        (name !== 'webhooks' && !name.startsWith('x-')) || (name === 'x-problem' && isProblemForm(value)),
    ),
  ),
  ...(security === undefined ? {} : { security: adaptSecurity(security) }),
  components: isObject(schemes) ? { securitySchemes: mapFields(schemes, adaptScheme) } : {},
});

const mapFields = (fields: Fields, map: (value: unknown, name: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value, name)]));

const adaptOperation = (
  definition: unknown,
  here: string,
  { pathParameters, is31 }: ForeignContext,
): unknown => {
  if (!isObject(definition)) return definition;
  const { callbacks: _callbacks, servers: _servers, security, ...operation } = definition;
  const written = Array.isArray(operation['parameters']) ? operation['parameters'].filter(isObject) : [];
  const parameters = written.map((parameter) => adaptParameter(parameter, is31));
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
    ...(isObject(operation['requestBody']) ? adaptRequestBody(operation['requestBody'], is31) : {}),
    responses: adaptResponses(operation['responses'], is31),
  };
};

const isKnown = (place: unknown, name: unknown, pathParameters: readonly string[]): boolean =>
  place !== 'path' || pathParameters.includes(String(name));

/** A parameter that could not be read is any text. */
const adaptParameter = (written: Fields, is31: boolean): Fields => {
  const { content, style, explode, ...parameter } = written;
  const place = parameter['in'] as ParameterLocation;
  const isInPath = place === 'path';
  const required = isInPath ? { required: true } : {};
  const [media = '', ...others] = Object.keys(asFields(content));
  if (others.length === 0 && isJsonMedia(media)) {
    const { [media]: described } = asFields(content);
    const schema = adaptSchema(asFields(described)['schema'], is31) ?? {};
    const { schema: _schema, ...rest } = parameter;
    return { ...rest, ...required, content: { [media]: { ...asFields(described), schema } } };
  }
  const schema = content === undefined ? adaptSchema(parameter['schema'], is31) : undefined;
  const known = Object.hasOwn(parameterStyles, place) ? parameterStyles[place] : [];
  const adapted = {
    ...parameter,
    ...required,
    ...(known.includes(String(style)) ? { style } : {}),
    ...(typeof explode === 'boolean' ? { explode } : {}),
    schema,
  };
  const types = [schema?.['type']].flat();
  if (!schema || isUnreadable(adapted as unknown as Parameter, types))
    return { ...parameter, required: isInPath, schema: {} };
  return types.includes('array') && place === 'cookie' ? { ...adapted, explode: false } : adapted;
};

const isUnreadable = (parameter: Parameter, types: readonly unknown[]): boolean =>
  (types.includes('object') && types.length > 1) ||
  (parameter.style === 'deepObject' && !types.includes('object')) ||
  findObjectFault(parameter) !== undefined;

const asFields = (value: unknown): Fields => (isObject(value) ? value : {});

/** Ranges of media types are not read. */
const adaptRequestBody = (body: Fields, is31: boolean): { requestBody?: Fields } => {
  const content = adaptContent(body['content'], is31);
  const entries = Object.entries(content).filter(([media]) => !media.includes('*'));
  return entries.length > 0
    ? { requestBody: { ...body, content: Object.fromEntries(entries) } }
    : { requestBody: { content: { 'application/octet-stream': {} } } };
};

const adaptResponses = (responses: unknown, is31: boolean): unknown => {
  if (!isObject(responses)) return responses;
  const known = Object.entries(responses)
    .map(([status, response]) => [status.replace(/xx$/i, 'XX'), response] as const)
    .filter(([status]) => isStatusKey(status));
  return mapFields(Object.fromEntries(known), (response) => {
    if (!isObject(response)) return response;
    const headers = isObject(response['headers'])
      ? mapFields(response['headers'], (header) => adaptHeader(header, is31))
      : undefined;
    return {
      description: '',
      ...response,
      ...(headers ? { headers } : {}),
      ...(isObject(response['content']) ? { content: adaptContent(response['content'], is31) } : {}),
    };
  });
};

const adaptHeader = (header: unknown, is31: boolean): unknown =>
  isObject(header) ? { ...header, schema: adaptSchema(header['schema'], is31) ?? {} } : header;

/** Media types without their parameters. Any type may be JSON, and a mock answers with that. */
const adaptContent = (content: unknown, is31: boolean): Fields => {
  if (!isObject(content)) return {};
  const adapted = Object.fromEntries(
    Object.entries(content).map(([media, described]) => {
      const fields = isObject(described) ? described : {};
      const schema = adaptSchema(fields['schema'], is31) ?? {};
      const encoding = adaptEncoding(fields['encoding']);
      const name = mediaTypeOf(media) ?? '';
      return [name, { ...fields, schema: withUnreadFields(name, schema, encoding), encoding }];
    }),
  );
  const any = adapted['*/*'];
  return any && !adapted[jsonMedia] ? { [jsonMedia]: any, ...adapted } : adapted;
};

/** Schemas are shared between operations, and large ones between many. */
const adaptedSchemas = new WeakMap<object, Fields>();

const types = ['integer', 'string', 'object', 'array', 'boolean', 'number'];
const types31 = [...types, 'null'];

const adaptSchema = (schema: unknown, is31: boolean): Fields | undefined => {
  if (schema === false && is31) return { not: {} };
  if (!isObject(schema)) return undefined;
  const known = adaptedSchemas.get(schema);
  if (known) return known;
  const adapted: Fields = {};
  adaptedSchemas.set(schema, adapted);
  for (const [name, value] of Object.entries(schema)) {
    const kept = adaptKeyword(name, value, schema, is31);
    if (kept !== undefined) adapted[name] = kept;
  }
  if (!is31)
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

/** Ajv looks for the ids of schemas in examples, too, and refuses one that stands twice. */
const hasId = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '$id') || Object.values(value).some((inner) => hasId(inner)));

/** Extension keys of others may have our names and mean something else; this one is only compared with. */
const isLeftOut = (name: string, value: unknown): boolean =>
  (name.startsWith('x-') && !(name === 'x-sorted-by' && typeof value === 'string')) ||
  ['xml', 'externalDocs', '$id', '$anchor', '$schema'].includes(name);

const adaptKeyword = (name: string, value: unknown, schema: Fields, is31: boolean): unknown => {
  if (isLeftOut(name, value)) return undefined;
  switch (name) {
    case 'readOnly':
    case 'writeOnly':
      return isOnlyOneWay(schema) && value === true ? value : undefined;
    case 'discriminator':
      return isExpanded(schema) ? value : undefined;
    case 'type':
      return adaptType(value, is31);
    case 'format':
      return formatNames.some((format) => format === value) ? value : undefined;
    case 'pattern':
      return patternFault(value) === undefined ? value : undefined;
    case 'nullable':
      return types.includes(String(schema['type'])) ? value : undefined;
    case 'example':
      return hasId(value) ? undefined : value;
    case 'examples':
      return Array.isArray(value) && !hasId(value) ? value : undefined;
    case 'required':
      return Array.isArray(value)
        ? [...new Set(value as unknown[])].filter((field) => typeof field === 'string')
        : undefined;
    case 'enum':
      return Array.isArray(value) && value.length > 0 ? [...new Set(value as unknown[])] : undefined;
    case 'default':
      return undefined;
    case 'exclusiveMinimum':
      return adaptBound(value, schema['minimum'], is31);
    case 'exclusiveMaximum':
      return adaptBound(value, schema['maximum'], is31);
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'unevaluatedItems':
      return typeof value === 'boolean' ? value : adaptSchema(value, is31);
    case 'patternProperties':
      return isObject(value)
        ? mapFields(
            Object.fromEntries(Object.entries(value).filter(([key]) => patternFault(key) === undefined)),
            (field) => adaptSchema(field, is31) ?? {},
          )
        : undefined;
    default:
      return adaptOther(name, value, is31);
  }
};

const adaptOther = (name: string, value: unknown, is31: boolean): unknown => {
  if (schemaMapKeywords.includes(name))
    return isObject(value) ? mapFields(value, (field) => adaptSchema(field, is31) ?? {}) : undefined;
  if (schemaListKeywords.includes(name))
    return Array.isArray(value) && value.length > 0
      ? value.map((part) => adaptSchema(part, is31) ?? {})
      : undefined;
  return schemaKeywords.includes(name) ? adaptSchema(value, is31) : value;
};

const adaptType = (type: unknown, is31: boolean): unknown => {
  if (!is31) return types.includes(String(type)) ? type : undefined;
  const known = [type].flat().filter((name) => types31.includes(String(name)));
  const [first, ...others] = new Set(known);
  return others.length > 0 ? [first, ...others] : first;
};

/** Each version of OpenAPI has one form of exclusive bounds; contracts have both. */
const adaptBound = (exclusive: unknown, bound: unknown, is31: boolean): unknown => {
  if (is31 && typeof exclusive === 'number') return exclusive;
  if (exclusive !== true || typeof bound !== 'number') return undefined;
  return is31 ? bound : true;
};

const isOnlyOneWay = ({ readOnly, writeOnly }: Fields): boolean => readOnly !== writeOnly;

/** A contract without a server has the one that serves it. */
const withServer = (text: string, document: unknown): string => {
  if (!isObject(document) || document['servers'] !== undefined) return text;
  return text.trimStart().startsWith('{')
    ? text.replace('{', '{"servers":[{"url":"/"}],')
    : `${text}\nservers:\n  - url: /\n`;
};
