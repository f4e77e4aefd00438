import { formatNames } from 'ajv-formats/dist/formats.js';
import { oneOf, type Cursor } from './cursor.js';
import { isObject, mergeAllOf, patternFault, type Schema } from './document.js';

/** Which values our extension keys may have, next to which types. */
const extensions = [
  { key: 'x-lenient', on: ['integer', 'string'], values: [true, false] },
  { key: 'x-leading-number', on: ['integer'], values: [true, false] },
  { key: 'x-trim', on: ['string'], values: [true, false] },
  { key: 'x-below-minimum', on: ['integer'], values: ['default', 'minimum'] },
  { key: 'x-above-maximum', on: ['integer'], values: ['maximum'] },
  { key: 'x-otherwise', on: ['object'], values: ['absent', 'empty'] },
] as const;

/** Keywords that would have to be obeyed, and are not. */
const unsupportedKeywords = ['readOnly', 'writeOnly', 'discriminator'];

/** Below these, a value fits one of several schemas, so it is not known beforehand which one converts it. */
const alternatives = ['oneOf', 'anyOf', 'not'];

/** Refuses a schema that would not be obeyed as it is written. References must be resolved. */
export const checkSchema = (schema: Cursor, here: string, isAlternative = false): void => {
  if (!isObject(schema.value)) return;
  checkExtensions(schema, isAlternative);
  for (const key of unsupportedKeywords)
    if (schema.has(key) && schema.field(key).value !== false)
      schema.field(key).refuse(`${here}: ${key} is not supported`);
  const format = schema.field('format');
  if (format.value !== undefined && !formatNames.some((name) => name === format.value))
    format.refuse(`${here}: there is no format ${JSON.stringify(format.value)}: ${formatNames.join(', ')}`);
  checkPattern(schema.field('pattern'), here);
  for (const bound of exclusiveBounds) checkExclusiveBound(schema, bound, here);
  if (schema.has('properties'))
    for (const [name, field] of schema.field('properties').fields(`${here}: properties`)) {
      field.fields(name);
      checkSchema(field, here, isAlternative);
    }
  for (const key of ['items', 'additionalProperties']) checkSchema(schema.field(key), here, isAlternative);
  if (schema.has('allOf'))
    for (const part of schema.field('allOf').items(`${here}: allOf`)) checkSchema(part, here, isAlternative);
  for (const key of alternatives) {
    const { value } = schema.field(key);
    if (value === undefined) continue;
    const parts = Array.isArray(value) ? schema.field(key).items(key) : [schema.field(key)];
    for (const part of parts) checkSchema(part, here, true);
  }
};

const exclusiveBounds = [
  { key: 'exclusiveMinimum', bound: 'minimum', applied: 'x-below-minimum' },
  { key: 'exclusiveMaximum', bound: 'maximum', applied: 'x-above-maximum' },
] as const;

/** OpenAPI 3.0 has them as true or false; that they are numbers came with 3.1. */
const checkExclusiveBound = (
  schema: Cursor,
  { key, bound, applied }: (typeof exclusiveBounds)[number],
  here: string,
): void => {
  const exclusive = schema.field(key);
  const { value } = exclusive;
  if (value === undefined || value === false) return;
  if (typeof value === 'number')
    exclusive.refuse(
      `${here}: ${key} is a number only from OpenAPI 3.1 on: write ${bound}: ${String(value)} and ${key}: true`,
    );
  if (value !== true) exclusive.refuse(`${here}: ${key} must be true or false`);
  if (!schema.has(bound)) exclusive.refuse(`${here}: ${key}: true needs a ${bound}`);
  if (schema.has(applied))
    schema
      .field(applied)
      .refuse(`${here}: ${applied} can not stand beside ${key}: write a ${bound} that is allowed itself`);
};

const checkPattern = (pattern: Cursor, here: string): void => {
  const fault = pattern.value === undefined ? undefined : patternFault(pattern.value);
  if (fault !== undefined) pattern.refuse(`${here}: invalid pattern: ${fault}`);
};

const checkExtensions = (schema: Cursor, isAlternative: boolean): void => {
  const { type } = mergeAllOf(schema.value as Schema);
  for (const { key, on, values } of extensions) {
    if (!schema.has(key)) continue;
    const extension = schema.field(key);
    oneOf(extension, values, key);
    if (isAlternative) extension.refuse(`${key} can not stand below ${alternatives.join(', ')}`);
    if (!on.some((name) => name === type)) extension.refuse(`${key} belongs to the type ${on.join(' or ')}`);
    if (key === 'x-leading-number' && schema.field('x-lenient').value !== true)
      extension.refuse(`${key} needs x-lenient: true`);
    // The bound or the default that takes the place of a value.
    const needed = typeof extension.value === 'string' && on[0] === 'integer' ? extension.value : undefined;
    const bound = key === 'x-below-minimum' ? 'minimum' : 'maximum';
    for (const name of needed === undefined ? [] : [bound, needed])
      if (!schema.has(name)) extension.refuse(`${key}: ${String(extension.value)} needs a ${name}`);
  }
  if (isAlternative && schema.has('default'))
    schema.field('default').refuse(`default can not stand below ${alternatives.join(', ')}`);
  checkMessage(schema.field('x-message'));
};

const checkMessage = (message: Cursor): void => {
  if (message.value === undefined || typeof message.value === 'string') return;
  for (const [keyword, text] of message.fields('x-message')) text.text(`x-message.${keyword}`);
};
