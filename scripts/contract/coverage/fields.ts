import { isObject } from '../document/json.js';
import type { Schema } from '../document/types.js';

/** The names of all fields of a schema: `qos`, `qos.down`; fields of list elements: `vouchers[].status`. */
export const fieldNames = (schema: Schema | undefined): string[] => [...new Set(namesOf(schema, '', []))];

const namesOf = (schema: Schema | undefined, path: string, above: readonly Schema[]): string[] => {
  // A schema inside itself has no end of fields.
  if (!schema || above.includes(schema)) return [];
  const within = [...above, schema];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const own = path === '' ? name : `${path}.${name}`;
      return [own, ...namesOf(field, own, within)];
    }),
    ...namesOf(schema.items, `${path}[]`, within),
    ...partsOf(schema).flatMap((part) => namesOf(part, path, within)),
  ];
};

const partsOf = (schema: Schema): Schema[] =>
  ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => {
    const parts = schema[keyword];
    return Array.isArray(parts) ? (parts as Schema[]) : [];
  });

/** Those fields of a schema that a value has. */
export const fieldNamesIn = (schema: Schema | undefined, value: unknown): string[] => {
  const present = new Set(pathsIn(value, ''));
  return fieldNames(schema).filter((name) => present.has(name));
};

const pathsIn = (value: unknown, path: string): string[] => {
  if (Array.isArray(value)) return value.flatMap((element) => pathsIn(element, `${path}[]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...pathsIn(field, own)];
  });
};
