// JSON Schema of what files of the configuration are made of.

const maxInteger = 2_147_483_647;
export const count = (minimum: number, maximum = maxInteger) => ({ type: 'integer', minimum, maximum });
export const optionalCount = (minimum: number, maximum?: number) => ({
  ...count(minimum, maximum),
  type: ['integer', 'null'],
});
export const name = { type: 'string', minLength: 1, maxLength: 255 };
export const text = (maxLength: number) => ({ type: ['string', 'null'], maxLength });
export const sealed = { type: ['string', 'null'], pattern: '^v2:[A-Za-z0-9+/]+=*$', maxLength: 200_000 };
export const sites = { anyOf: [{ const: 'all' }, { type: 'array', maxItems: 10_000, items: count(1) }] };
export const flag = { type: 'boolean' };
export const object = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  additionalProperties: false,
});
export const list = (properties: Readonly<Record<string, object>>, optional?: readonly string[]) => ({
  type: 'array',
  maxItems: 10_000,
  items: object(properties, optional),
});
