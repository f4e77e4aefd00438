import { formatNames } from 'ajv-formats/dist/formats.js';
import { oneOf, type Cursor } from './cursor.js';
import { isExpanded } from './dialects/discriminators.js';
import { isObject, mergeAllOf, patternFault, type Schema } from './document.js';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './dialects/jsonSchema.js';

/** Which values our extension keys may have, next to which types. */
const extensions = [
  { key: 'x-lenient', on: ['integer', 'string'], values: [true, false] },
  { key: 'x-leading-number', on: ['integer'], values: [true, false] },
  { key: 'x-trim', on: ['string'], values: [true, false] },
  { key: 'x-below-minimum', on: ['integer'], values: ['default', 'minimum'] },
  { key: 'x-above-maximum', on: ['integer'], values: ['maximum'] },
  { key: 'x-otherwise', on: ['object'], values: ['absent', 'empty'] },
] as const;

const oneWay = ['readOnly', 'writeOnly'];

/** Below these, a value fits one of several schemas, so it is not known beforehand which one converts it. */
const alternatives = ['oneOf', 'anyOf', 'not'];

/** What is checked of schemas: the path of an error's text, and whether they are those of OpenAPI 3.1. */
export interface SchemaContext {
  readonly here: string;
  readonly is31: boolean;
  /** Does a mock serve it? */
  readonly mocked: boolean;
}

/** Refuses a schema that would not be obeyed as it is written. References must be resolved. */
export const checkSchema = (schema: Cursor, context: SchemaContext, isAlternative = false): void => {
  const { here, is31 } = context;
  if (!isObject(schema.value)) return;
  checkExtensions(schema, isAlternative);
  const isChosen = schema.has('discriminator');
  if (isChosen && !isExpanded(schema.value))
    schema.field('discriminator').refuse(`${here}: a discriminator needs a schema below paths or components`);
  for (const key of oneWay) if (schema.has(key)) oneOf(schema.field(key), [true, false], `${here}: ${key}`);
  if (oneWay.every((key) => schema.field(key).value === true))
    schema.field('writeOnly').refuse(`${here}: a field can not be both readOnly and writeOnly`);
  const format = schema.field('format');
  if (format.value !== undefined && !formatNames.some((name) => name === format.value))
    format.refuse(`${here}: there is no format ${JSON.stringify(format.value)}: ${formatNames.join(', ')}`);
  checkPattern(schema.field('pattern'), here);
  if (is31) checkKeywords31(schema, context);
  else for (const bound of exclusiveBounds) checkExclusiveBound(schema, bound, here);
  if (schema.has('properties'))
    for (const [name, field] of schema.field('properties').fields(`${here}: properties`)) {
      if (!is31 || typeof field.value !== 'boolean') field.fields(name);
      checkSchema(field, context, isAlternative);
    }
  checkSchema(schema.field('items'), context, isAlternative);
  checkSchema(
    schema.field('additionalProperties'),
    context,
    isAlternative || (is31 && schema.has('patternProperties')),
  );
  if (schema.has('allOf'))
    for (const part of schema.field('allOf').items(`${here}: allOf`))
      checkSchema(part, context, isAlternative);
  checkSoleDiscriminator(schema, here);
  for (const key of alternatives) {
    const { value } = schema.field(key);
    if (value === undefined) continue;
    const parts = Array.isArray(value) ? schema.field(key).items(key) : [schema.field(key)];
    for (const part of parts) checkSchema(part, context, isAlternative || key !== 'oneOf' || !isChosen);
  }
};

/** Of two in one value, each would choose what the other one does not convert. */
const checkSoleDiscriminator = (schema: Cursor, here: string): void => {
  const { discriminator, allOf = [] } = schema.value as Schema;
  const others = allOf.filter((part) => isObject(part) && mergeAllOf(part).discriminator);
  if (others.length + (discriminator ? 1 : 0) > 1)
    schema.refuse(`${here}: only one discriminator may hold for a value`);
};

/** Would make a reference mean another place than the one in the file. */
const identifiers = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'];

const dialects = [
  'https://json-schema.org/draft/2020-12/schema',
  'https://spec.openapis.org/oas/3.1/dialect/base',
];

/** Refuses a dialect of JSON Schema that OpenAPI 3.1 does not have by itself. */
export const checkDialect = (dialect: Cursor, what: string): void => {
  if (dialect.value !== undefined) oneOf(dialect, dialects, what);
};

const checkedAbove = ['items', 'additionalProperties', 'allOf', 'properties', ...alternatives];

/** What OpenAPI 3.1 has and 3.0 does not. */
const checkKeywords31 = (schema: Cursor, context: SchemaContext): void => {
  const { here } = context;
  for (const key of identifiers)
    if (schema.has(key))
      schema.field(key).refuse(`${here}: ${key} is not supported: refer with #/ to a place`);
  checkDialect(schema.field('$schema'), `${here}: $schema`);
  // It means nothing any more, but contracts of others have it, and mean it.
  if (schema.has('nullable') && !context.mocked)
    schema.field('nullable').refuse(`${here}: nullable is of OpenAPI 3.0: write type: [string, 'null']`);
  for (const { key, bound } of exclusiveBounds) {
    const { value } = schema.field(key);
    if (value !== undefined && typeof value !== 'number')
      schema
        .field(key)
        .refuse(
          `${here}: ${key} is a number since OpenAPI 3.1: write the bound there instead of in ${bound}`,
        );
  }
  for (const pattern of schema.has('patternProperties')
    ? schema.field('patternProperties').fields(`${here}: patternProperties`)
    : []) {
    const fault = patternFault(pattern[0]);
    if (fault !== undefined) pattern[1].refuse(`${here}: invalid pattern: ${fault}`);
  }
  const others = (keywords: readonly string[]): string[] =>
    keywords.filter((key) => schema.has(key) && !checkedAbove.includes(key));
  for (const key of others(schemaKeywords)) checkSchema(schema.field(key), context, true);
  for (const key of others(schemaListKeywords))
    for (const part of schema.field(key).items(`${here}: ${key}`)) checkSchema(part, context, true);
  for (const key of others(schemaMapKeywords))
    for (const [, part] of schema.field(key).fields(`${here}: ${key}`)) checkSchema(part, context, true);
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
  const type = soleType(mergeAllOf(schema.value as Schema).type);
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

/** The type of values that are not null. */
const soleType = (type: unknown): unknown => {
  const others = [type].flat().filter((name) => name !== 'null');
  return others.length === 1 ? others[0] : undefined;
};

const checkMessage = (message: Cursor): void => {
  if (message.value === undefined || typeof message.value === 'string') return;
  for (const [keyword, text] of message.fields('x-message')) text.text(`x-message.${keyword}`);
};
