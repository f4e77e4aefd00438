import { createRequire } from 'node:module';
import { Ajv, type AnySchemaObject, type Options } from 'ajv';
import type * as Ajv2020Library from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isOpenApi31, type ContractDocument, type Schema } from './document.js';
import { BufferedFile } from './bodies/uploadedFile.js';

const requireHere = createRequire(import.meta.url);

/** Loaded for contracts of OpenAPI 3.1 only. */
const loadAjv2020 = (): typeof Ajv2020Library => requireHere('ajv/dist/2020.js') as typeof Ajv2020Library;

/** `1e400` is infinite, so JSON has no way to store or answer it. */
const ofAll = { discriminator: true, strictNumbers: true } as const;

/**
 * A validator for the schemas of a contract, as its version of OpenAPI has them.
 * Everything that validates uses this, so that service, proxy and contract run agree.
 */
export const makeAjv = (document: Pick<ContractDocument, 'openapi' | 'x-recursive'>, options: Options): Ajv =>
  withRecursion(
    isOpenApi31(document) ? makeAjv2020(options) : withVocabulary(new Ajv({ ...options, ...ofAll })),
    document,
  );

/**
 * Teaches a validator the schemas of a contract that lead back to themselves, or are shared for their size.
 */
export const withRecursion = (ajv: Ajv, document: Pick<ContractDocument, 'x-recursive'>): Ajv => {
  // What references lead to is compiled once, and not again wherever it is used.
  ajv.opts.inlineRefs = false;
  for (const [name, schema] of Object.entries(document['x-recursive'] ?? {})) ajv.addSchema(schema, name);
  return ajv;
};

/** A validator for JSON Schema 2020-12, the schemas of OpenAPI 3.1. */
export const makeAjv2020 = (options: Options): Ajv => {
  const { Ajv2020 } = loadAjv2020();
  return withFormats(new Ajv2020({ ...options, ...ofAll }));
};

// Not ajv-formats' faster ones, which are only patterns: the 39th of a month fits those.
const withFormats = (ajv: Ajv): Ajv => withDirections(addFormats.default(ajv, { mode: 'full' }));

/**
 * For JSON Schema they are notes. Schemas of one direction have them where a field belongs to the other one.
 */
const withDirections = (ajv: Ajv): Ajv => {
  for (const [keyword, message] of [
    ['readOnly', 'must not be sent: it is readOnly'],
    ['writeOnly', 'must not be in a response: it is writeOnly'],
  ] as const)
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      schemaType: 'boolean',
      validate: (value: boolean) => !value,
      error: { message },
    });
  return withFileKeyword(ajv);
};

/** Files of a form are objects, which no keyword of JSON Schema says anything of. */
const withFileKeyword = (ajv: Ajv): Ajv =>
  ajv.addKeyword({
    keyword: 'x-file',
    schemaType: 'object',
    validate: ({ minLength, maxLength }: FileLimits, value: unknown) =>
      value instanceof BufferedFile && value.size >= minLength && value.size <= maxLength,
    error: {
      message: ({ schema }) => {
        const { minLength, maxLength } = schema as FileLimits;
        const limits = [
          minLength > 0 && `at least ${minLength}`,
          maxLength < Infinity && `at most ${maxLength}`,
        ];
        const said = limits.filter((limit) => limit !== false).join(' and ');
        return `must be a file${said === '' ? '' : ` of ${said} bytes`}`;
      },
    },
  });

type FileLimits = NonNullable<Schema['x-file']>;

/** Teaches a validator what the schemas of OpenAPI 3.0 say. */
export const withVocabulary = (ajv: Ajv): Ajv => {
  withFormats(ajv);
  for (const { keyword, bound, sign, isBeyond } of exclusiveBounds)
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      type: 'number',
      schemaType: ['boolean', 'number'],
      compile: (value: boolean | number, { [bound]: beside }: AnySchemaObject) => {
        const limit = value === true ? (beside as unknown) : value;
        return (given: number) => typeof limit !== 'number' || isBeyond(given, limit);
      },
      error: {
        message: ({ schema, parentSchema }) =>
          `must be ${sign} ${String(schema === true ? parentSchema?.[bound] : schema)}`,
      },
    });
  return ajv;
};

/**
 * In OpenAPI 3.0 they are true or false and speak of the bound beside them; ajv's own are numbers,
 * and so are those in the schema of schemas.
 */
const exclusiveBounds = [
  {
    keyword: 'exclusiveMinimum',
    bound: 'minimum',
    sign: '>',
    isBeyond: (n: number, limit: number) => n > limit,
  },
  {
    keyword: 'exclusiveMaximum',
    bound: 'maximum',
    sign: '<',
    isBeyond: (n: number, limit: number) => n < limit,
  },
] as const;
