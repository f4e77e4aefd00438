import type { Ajv, AnySchemaObject } from 'ajv';
import addFormats from 'ajv-formats';

/**
 * Teaches a validator what the schemas of OpenAPI 3.0 say. Everything that validates uses this, so that service, proxy
 * and contract run agree.
 */
export const withVocabulary = (ajv: Ajv): Ajv => {
  // Not ajv-formats' faster ones, which are only patterns: the 39th of a month fits those.
  addFormats.default(ajv, { mode: 'full' });
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
 * In OpenAPI 3.0 they are true or false and speak of the bound beside them; ajv's own are numbers, and so are those in
 * the schema of schemas. */
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
