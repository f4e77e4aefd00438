import { isObject } from '../../../../src/contract/document.js';
import type { ContractModel } from '../contract.js';
import type { OperationModel, ResponseModel } from '../document/operations.js';
import type { SchemaModel } from '../document/schemaModel.js';

/** A cell of the coverage table. */
export interface Cell {
  readonly operationId: string;
  readonly kind: 'status' | 'parameter' | 'field';
  /** `404`; `query site_id`; `body qos.down`, `201 formatted_code`. */
  readonly name: string;
}

/** Everything that a run of all stages has to try, in the order of the contract. */
export const cellsOf = ({ operations }: Pick<ContractModel, 'operations'>): Cell[] =>
  operations.flatMap((operation) => [
    ...operation.responses.map((response) => statusCell(operation, response)),
    ...operation.parameters.map((one) => cell(operation, 'parameter', `${one.in} ${one.name}`)),
    ...fieldNames(operation.requestBody?.schema).map((name) => cell(operation, 'field', `body ${name}`)),
    ...operation.responses.flatMap((response) => fieldCells(operation, response)),
  ]);

const cell = ({ id }: OperationModel, kind: Cell['kind'], name: string): Cell => ({
  operationId: id,
  kind,
  name,
});

export const statusCell = (operation: OperationModel, { key }: Pick<ResponseModel, 'key'>): Cell =>
  cell(operation, 'status', key);

/** The cells of the fields of a response; with a value only those of the fields that it has. */
export const fieldCells = (
  operation: OperationModel,
  { key, body }: Pick<ResponseModel, 'key' | 'body'>,
  ...value: readonly unknown[]
): Cell[] => {
  const names = value.length === 0 ? fieldNames(body?.schema) : fieldNamesIn(body?.schema, value[0]);
  return names.map((name) => cell(operation, 'field', `${key} ${name}`));
};

/** Two cells are the same when their keys are. */
export const cellKey = ({ operationId, kind, name }: Cell): string =>
  JSON.stringify([operationId, kind, name]);

/** The names of all fields of a schema: `qos`, `qos.down`; fields of list elements: `vouchers[].status`. */
export const fieldNames = (schema: SchemaModel | undefined): readonly string[] => {
  if (!schema) return [];
  const names = knownNames.get(schema) ?? [...new Set(namesOf(schema, ''))];
  knownNames.set(schema, names);
  return names;
};

/** Every answer is looked through for the fields of its schema. */
const knownNames = new WeakMap<SchemaModel, readonly string[]>();

const namesOf = (schema: SchemaModel | undefined, path: string): string[] => {
  if (!schema) return [];
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])] as SchemaModel[];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const own = path === '' ? name : `${path}.${name}`;
      return [own, ...namesOf(field, own)];
    }),
    ...namesOf(schema.items, `${path}[]`),
    ...parts.flatMap((part) => namesOf(part, path)),
  ];
};

/** Those fields of a schema that a value has. */
export const fieldNamesIn = (schema: SchemaModel | undefined, value: unknown): string[] => {
  const present = new Set<string>();
  collectPaths(value, '', present);
  return fieldNames(schema).filter((name) => present.has(name));
};

const collectPaths = (value: unknown, path: string, into: Set<string>): void => {
  if (Array.isArray(value)) {
    for (const element of value) collectPaths(element, `${path}[]`, into);
  } else if (isObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      const own = path === '' ? name : `${path}.${name}`;
      into.add(own);
      collectPaths(field, own, into);
    }
  }
};
