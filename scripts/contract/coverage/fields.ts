import { isJson } from '../document/json.js';
import type { SchemaModel } from '../document/types.js';

/** The names of all fields of a schema: `qos`, `qos.down`; fields of list elements: `vouchers[].status`. */
export const fieldNames = (schema: SchemaModel | undefined): string[] => [
  ...new Set(namesOf(schema, '', [])),
];

const namesOf = (schema: SchemaModel | undefined, path: string, above: readonly SchemaModel[]): string[] => {
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

const partsOf = (schema: SchemaModel): SchemaModel[] =>
  ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => {
    const parts = schema[keyword];
    return Array.isArray(parts) ? (parts as SchemaModel[]) : [];
  });

/** Those fields of a schema that a value has. */
export const fieldNamesIn = (schema: SchemaModel | undefined, value: unknown): string[] => {
  const present = new Set<string>();
  collectPaths(value, '', present);
  return fieldNames(schema).filter((name) => present.has(name));
};

const collectPaths = (value: unknown, path: string, into: Set<string>): void => {
  if (Array.isArray(value)) {
    for (const element of value) collectPaths(element, `${path}[]`, into);
  } else if (isJson(value)) {
    for (const [name, field] of Object.entries(value)) {
      const own = path === '' ? name : `${path}.${name}`;
      into.add(own);
      collectPaths(field, own, into);
    }
  }
};
