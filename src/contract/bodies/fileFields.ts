import { isUtf8 } from 'node:buffer';
import type { ErrorObject } from 'ajv';
import { parseJsonBody } from '../../lib/json.js';
import { toPointerSegment } from '../../lib/jsonPointer.js';
import {
  isJsonMedia,
  isObject,
  mergedSchema,
  recursionTarget,
  type Described,
  type Schema,
} from '../document.js';
import { JsonValue } from './fieldValues.js';
import { compileFields, fieldSchemas } from './formFields.js';
import { parseMultipart, type MultipartFault, type Part } from './multipart.js';
import { BufferedFile } from './uploadedFile.js';

/** Why a body can't be read: as a whole, or because of these fields. */
export class BodyFault {
  constructor(
    readonly reason: MultipartFault | undefined,
    readonly errors: readonly ErrorObject[] = [],
  ) {}
}

/** Is a field with this schema a file? OpenAPI 3.1 may also say only which media type its content has. */
export const isFileSchema = (schema: Schema): boolean =>
  (schema.type === 'string' && schema.format === 'binary') ||
  (schema.type === undefined &&
    schema.contentMediaType !== undefined &&
    schema.contentEncoding === undefined &&
    !isJsonMedia(schema.contentMediaType));

/**
 * The schema of a form's fields, where what is a file has a keyword of its own instead of those of a text.
 */
export const withFileFields = (written: Schema): Schema => {
  // One that is large or begins again is shared with operations that know no files.
  const schema = recursionTarget(written) ?? written;
  const { properties, additionalProperties } = schema;
  if (isFileSchema(schema)) return {};
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, withFiles) }),
    ...(isObject(additionalProperties) && { additionalProperties: withFiles(additionalProperties) }),
    ...mapAlternatives(schema, withFileFields),
  };
};

/** A field: a file, a list of them, or one of several schemas. What is JSON inside has none. */
const withFiles = (field: Schema): Schema => {
  if (isFileSchema(field)) {
    const { type: _type, format: _format, minLength, maxLength, ...rest } = field;
    return { ...rest, 'x-file': { minLength: minLength ?? 0, maxLength: maxLength ?? Infinity } };
  }
  const { items } = field;
  const parts = mapAlternatives(field, withFiles);
  // A schema that begins again has to stay the same object.
  return items || Object.keys(parts).length > 0
    ? { ...field, ...(items && { items: withFiles(items) }), ...parts }
    : field;
};

const mapValues = (fields: Readonly<Record<string, Schema>>, map: (field: Schema) => Schema) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]));

const mapAlternatives = (schema: Schema, map: (part: Schema) => Schema): Partial<Schema> =>
  Object.fromEntries(
    (['allOf', 'oneOf', 'anyOf'] as const).flatMap((keyword) =>
      schema[keyword] ? [[keyword, schema[keyword].map(map)]] : [],
    ),
  );

/** Whether the parts of a field are files: always, or only those with a file name, or never. */
const filesIn = (written: Schema, outer: readonly Schema[] = []): 'always' | 'named' | 'never' => {
  // What begins again has no files.
  if (outer.includes(written)) return 'never';
  const { items, oneOf = [], anyOf = [], ...schema } = mergedSchema(written);
  if (schema['x-file']) return 'always';
  const inside = (part: Schema) => filesIn(part, [...outer, written]);
  if (items) return inside(items);
  const found = [...oneOf, ...anyOf].map(inside);
  if (found.every((one) => one === 'never')) return 'never';
  return found.every((one) => one === 'always') ? 'always' : 'named';
};

/** How one field is read: as files or texts, of these media types. */
interface PartRule {
  readonly files: ReturnType<typeof filesIn>;
  readonly accepts: (mediaType: string) => boolean;
}

const ruleOf = (schema: Schema, contentType: string | undefined): PartRule => {
  const { contentMediaType, items = {} } = mergedSchema(schema);
  const ranges = (contentType ?? contentMediaType ?? items.contentMediaType ?? '*/*')
    .split(',')
    .map((range) => range.split(';')[0]?.trim().toLowerCase() ?? '');
  const accepts = (mediaType: string): boolean =>
    ranges.some((range) =>
      range.endsWith('/*')
        ? range === '*/*' || mediaType.startsWith(range.slice(0, -1))
        : range === mediaType,
    );
  return { files: filesIn(schema), accepts };
};

/** Reads a `multipart/form-data` body into the fields of a schema with `withFileFields`. */
export const compileMultipart = (
  described: Described,
): ((bytes: Buffer, contentType: string) => Record<string, unknown> | BodyFault) => {
  const { schema = {}, encoding = {} } = described;
  const { additionalProperties: others } = mergedSchema(schema);
  const readFields = compileFields(described);
  const rules = new Map(
    [...fieldSchemas(schema)].map(([name, field]) => [name, ruleOf(field, encoding[name]?.contentType)]),
  );
  const otherRule = ruleOf(isObject(others) ? others : {}, undefined);

  const readPart = (part: Part): unknown => {
    const { files, accepts } = rules.get(part.name) ?? otherRule;
    const { content, fileName, mediaType } = part;
    const isFile = files === 'always' || (files === 'named' && fileName !== undefined);
    // A browser sends this for a field in which no file was chosen.
    if (isFile && fileName === '' && content.length === 0) return undefined;
    const type = mediaType ?? (isFile ? 'application/octet-stream' : undefined);
    if (type !== undefined && !accepts(type)) return faultAt(part, 'must have another content type');
    return isFile ? new BufferedFile(fileName ?? '', type ?? '', content) : textOf(part);
  };

  return (bytes, contentType) => {
    const parts = parseMultipart(bytes, contentType);
    if (typeof parts === 'string') return new BodyFault(parts);
    const values = parts.map((part) => [part.name, readPart(part)] as const);
    const faults = values.flatMap(([, value]) => (value instanceof PartFault ? [value.error] : []));
    return faults.length > 0
      ? new BodyFault(undefined, faults)
      : readFields(values.filter(([, value]) => value !== undefined));
  };
};

class PartFault {
  constructor(readonly error: ErrorObject) {}
}

const faultAt = ({ name }: Part, message: string): PartFault =>
  new PartFault({
    instancePath: `/requestBody/${toPointerSegment(name)}`,
    schemaPath: '',
    keyword: 'contentType',
    params: {},
    message,
  });

const textOf = (part: Part): unknown => {
  const { content, charset = 'utf-8', mediaType = '' } = part;
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset) || !isUtf8(content)) return faultAt(part, 'must be UTF-8');
  const text = content.toString('utf8');
  if (!isJsonMedia(mediaType)) return text;
  try {
    return new JsonValue(parseJsonBody(text));
  } catch {
    return faultAt(part, 'must be JSON');
  }
};
