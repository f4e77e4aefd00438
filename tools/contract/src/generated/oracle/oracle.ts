import { isObject } from '../../../../../src/contract/document.js';
import { fieldNames } from '../../coverage/cells.js';
import {
  takesFields,
  isForm,
  type BodyModel,
  type OperationModel,
  type ParameterModel,
} from '../../document/operations.js';
import type { SchemaModel } from '../../document/schemaModel.js';
import { plainVariants, schemaChosenBy, type Variant } from '../../document/plainSchema.js';
import { makeValidator } from '../../document/validator.js';
import { hasLeaf, jsonFields, jsonList, jsonOf, parseWithTexts } from '../../json.js';
import { sentBody } from '../../target/formBody.js';
import { isMultipart } from '../../target/multipartBody.js';
import type { Sample } from '../../target/sample.js';
import { countsAs } from './conversion.js';
import { formValue, isMalformed, withFileTexts } from './form.js';

/**
 * Says what a service must make of a request whose key is good, from the contract alone. The first field that fails
 * decides: parameters of the path and the query, then the body in the order of its properties, then headers.
 */

/** What a handler gets to see of a request that is accepted. */
export interface OracleInput {
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export type OracleVerdict =
  | { readonly kind: 'accepted'; readonly input: OracleInput }
  | {
      readonly kind: 'refused';
      /** As a cell is named: `query site_id`, `body qos.down`, `body` for the body as a whole. */
      readonly field: string;
      /** The texts that a client may read; undefined where the contract gives none. */
      readonly texts: readonly string[] | undefined;
    }
  | { readonly kind: 'too large' }
  /** The contract does not say. */
  | { readonly kind: 'open' };

/** The field of a value that is wrong, and every keyword that it fails: which one a service meets first is its own matter. */
interface FieldFault {
  /** From the outside in: `['qos', 'down']`. */
  readonly path: readonly string[];
  readonly keywords: readonly string[];
}

interface Read {
  readonly field: string;
  readonly schema: SchemaModel;
  readonly value: unknown;
  readonly fault: FieldFault | undefined;
  /** The contract does not say whether the value is right; what is wrong elsewhere is so all the same. */
  readonly isOpen?: boolean;
}

export const judgeSample = (operation: OperationModel, sample: Sample): OracleVerdict => {
  const limit = operation.requestBody?.maxBytes;
  const sent = sentBody(operation, sample)?.body ?? '';
  if (limit !== undefined && Buffer.byteLength(sent) > limit) return { kind: 'too large' };
  const readings: (Read | 'open')[] = [
    ...parametersIn(operation, 'path').map((parameter) =>
      readParameter(parameter, pathValue(parameter, sample)),
    ),
    ...parametersIn(operation, 'query').map((parameter) =>
      readParameter(parameter, queryValue(parameter, sample)),
    ),
    // What a browser may write into a cookie is not the contract's matter; without it, one may be missing.
    ...(hasCookies(operation, sample) ? (['open'] as const) : []),
    ...(operation.requestBody ? [readBody(operation.requestBody, sample.body)] : []),
    ...parametersIn(operation, 'header').map((parameter) =>
      readParameter(parameter, headerValue(parameter, sample)),
    ),
  ];
  let isOpen = false;
  for (const reading of readings) {
    if (reading === 'open') return { kind: 'open' };
    isOpen ||= reading.isOpen === true;
    // What comes before it may be refused as well, with another text.
    if (reading.fault) return { ...refusal(reading, reading.fault), ...(isOpen && { texts: undefined }) };
  }
  if (isOpen) return { kind: 'open' };
  const found = readings.filter((reading) => reading !== 'open');
  const valuesOf = (point: string): Record<string, unknown> =>
    Object.fromEntries(
      found
        .filter(({ field }) => field.startsWith(`${point} `))
        .map(({ field, value }) => [field.slice(point.length + 1), value]),
    );
  const body = found.find(({ field }) => field === 'body')?.value;
  return { kind: 'accepted', input: { query: valuesOf('query'), headers: valuesOf('header'), body } };
};

const hasCookies = (operation: OperationModel, { headers }: Sample): boolean =>
  headers.some(([name]) => name === 'Cookie') ||
  parametersIn(operation, 'cookie').some(({ required }) => required);

const parametersIn = ({ parameters }: OperationModel, point: ParameterModel['in']): ParameterModel[] =>
  parameters.filter((parameter) => parameter.in === point);

const pathValue = ({ name }: ParameterModel, { path }: Sample): unknown => path[name];

/** A parameter that is given twice is no text. */
const queryValue = ({ name }: ParameterModel, { query }: Sample): unknown => {
  const values = query.filter(([given]) => given === name).map(([, value]) => value.toWellFormed());
  return values.length > 1 ? values : values[0];
};

/** HTTP does not keep white space around the value of a header. */
const headerValue = ({ name }: ParameterModel, { headers }: Sample): unknown =>
  headers
    .find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1]
    .replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');

const readParameter = (
  { in: point, name, required, schema, written }: ParameterModel,
  value: unknown,
): Read | 'open' => {
  const field = `${point} ${name}`;
  if (!schema || schema.type === 'object' || written.content) return 'open';
  if (isUnclear(schema, value)) return { field, schema, value, fault: undefined, isOpen: true };
  const isText = schema.type === 'string' && typeof value !== 'object';
  if (value !== undefined && !isText && schema['x-lenient'] !== true)
    return readStrictly(field, schema, value);
  const counted = countsAs(schema, value);
  if (counted !== undefined) return judged(field, schema, counted);
  const fault = required ? { path: [], keywords: ['required'] } : undefined;
  return { field, schema, value: counted, fault };
};

/** How strictly a format is read is not said, so only what is wrong beside formats is a fault. */
const judged = (field: string, schema: SchemaModel, value: unknown, sent = value): Read => {
  const isOpen = hasFormattedText(schema, sent);
  return { field, schema, value, fault: firstFault(schema, value, isOpen ? ['format'] : []), isOpen };
};

/** A field comes before the fields inside it; fields come in the order of the contract. */
const firstFault = (
  schema: SchemaModel,
  value: unknown,
  ignored: readonly string[],
): FieldFault | undefined => {
  const faults = makeValidator(schema)(value).filter(({ keyword }) => !ignored.includes(keyword));
  if (faults.length === 0) return undefined;
  const order = fieldNames(schema);
  /** That of the innermost field which has the place; the value as a whole comes before its fields. */
  const rank = (path: readonly string[]): number => {
    const known = path.map((_, index) => order.indexOf(fieldName(path.slice(0, path.length - index))));
    return known.find((index) => index >= 0) ?? -1;
  };
  const [first] = faults.toSorted((one, other) => rank(one.path) - rank(other.path));
  const path = first?.path ?? [];
  const own = faults.filter((fault) => fault.path.join('.') === path.join('.'));
  return { path, keywords: own.map(({ keyword }) => keyword) };
};

const fieldName = (path: readonly string[]): string => path.join('.').replace(/\.\d+(?=\.|$)/g, '[]');

/** A text where a number is wanted: plain digits are a number, and a text that JavaScript can't convert is not. */
const readStrictly = (field: string, schema: SchemaModel, value: unknown): Read | 'open' => {
  if (typeof value !== 'string' || (schema.type !== 'integer' && schema.type !== 'number')) return 'open';
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(value)) return judged(field, schema, Number(value));
  const isNone = Number.isNaN(Number(value));
  return isNone ? { field, schema, value, fault: { path: [], keywords: ['type'] } } : 'open';
};

/** A body that is missing or no JSON counts as a value of another type. */
const readBody = (
  body: NonNullable<OperationModel['requestBody']>,
  text: string | undefined,
): Read | 'open' => {
  const { required } = body;
  const parsed = jsonOf(text);
  const whole = isMultipart(body) ? withFileTexts(body.schema) : body.schema;
  if (!whole || !takesFields(body)) return 'open';
  const schema = schemaChosenBy(whole, parsed);
  const variants = schema === whole ? plainVariants(whole) : undefined;
  if (variants && isObject(parsed)) return unchosen(variants, parsed);
  if (isUnclear(schema, parsed)) return 'open';
  if (isForm(body)) return readForm(body, schema, text, parsed);
  if (parsed === undefined && (!required || schema['x-otherwise'] === undefined)) return 'open';
  const sent = parsed === undefined || text === undefined ? null : parseWithTexts(text);
  const counted = countsAs(schema, parsed ?? null, sent);
  // JSON schema has no word against them; our service refuses them, others may not.
  return hasUnpairedSurrogate(counted) || hasInfinity(counted)
    ? 'open'
    : judged('body', schema, counted, parsed);
};

/** A value that chooses none of the variants is the fault of the field that chooses. */
const unchosen = (variants: readonly Variant[], value: Readonly<Record<string, unknown>>): Read => {
  const [{ field, schema } = { field: '', schema: {} }] = variants;
  return {
    field: 'body',
    schema,
    value,
    fault: { path: [field], keywords: [Object.hasOwn(value, field) ? 'enum' : 'required'] },
  };
};

/** What is no form, or a form without a body, may count as one without fields. */
const readForm = (
  body: BodyModel,
  schema: SchemaModel,
  text: string | undefined,
  parsed: unknown,
): Read | 'open' => {
  if (isMultipart(body) && isMalformed(text, parsed))
    return { field: 'body', schema: {}, value: undefined, fault: { path: [], keywords: [] } };
  if (text === undefined || !isObject(parsed)) return 'open';
  const sent = formValue({ ...body, schema }, text);
  return sent === 'open' || hasUnpairedSurrogate(sent)
    ? 'open'
    : judged('body', schema, countsAs(schema, sent));
};

/** Of a number such as `1e400`. */
const hasInfinity = (value: unknown): boolean =>
  hasLeaf(value, (leaf) => leaf === Infinity || leaf === -Infinity);

const hasUnpairedSurrogate = (value: unknown): boolean =>
  hasLeaf(value, (leaf) => typeof leaf === 'string' && !leaf.isWellFormed());

const refusal = ({ field, schema }: Read, { path, keywords }: FieldFault): OracleVerdict => {
  const message = messageAt(schema, path);
  const texts = isObject(message)
    ? keywords.map((keyword) => message[keyword] ?? message['otherwise'])
    : [message];
  return {
    kind: 'refused',
    field: path.length === 0 ? field : `${field} ${path.join('.')}`,
    texts: texts.every((text) => typeof text === 'string') ? texts : undefined,
  };
};

/** The message of a field. An item of a list without one has that of its list. */
const messageAt = (schema: SchemaModel, [name, ...rest]: readonly string[]): unknown => {
  if (name === undefined) return schema['x-message'];
  const field = schema.properties?.[name];
  if (field) return messageAt(field, rest);
  return (
    (schema.items && messageAt(schema.items, rest)) ?? (rest.length === 0 ? schema['x-message'] : undefined)
  );
};

/** Keywords whose meaning the rules above do not cover. */
const unclear = ['allOf', 'anyOf', 'oneOf', 'not', 'discriminator'];

const isUnclear = (schema: SchemaModel, value: unknown): boolean =>
  hasPart(schema, value, (part) => unclear.some((keyword) => keyword in part));

/** What a format says matters for texts only. */
const hasFormattedText = (schema: SchemaModel, value: unknown): boolean =>
  hasPart(
    schema,
    value,
    (part, found) => 'format' in part && (typeof found === 'string' || typeof part.default === 'string'),
  );

/** Is a schema such, or one of what a value has inside? */
const hasPart = (
  schema: SchemaModel,
  value: unknown,
  isSuch: (part: SchemaModel, found: unknown) => boolean,
): boolean => {
  if (isSuch(schema, value)) return true;
  const { items, properties = {} } = schema;
  return (
    (items !== undefined && jsonList(value).some((item) => hasPart(items, item, isSuch))) ||
    Object.entries(properties).some(([name, field]) => hasPart(field, jsonFields(value)[name], isSuch))
  );
};
