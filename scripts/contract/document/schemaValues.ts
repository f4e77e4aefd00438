import type { ContractModel } from '../contract.js';
import { jsonFields, isJson } from './json.js';
import type { DocumentNode } from './references.js';
import type { SchemaModel } from './types.js';

/** A value that a schema itself gives: its example or its default. */
export interface SchemaValue {
  readonly kind: 'example' | 'default';
  readonly value: unknown;
  /** Without references. */
  readonly schema: SchemaModel;
  /** Where the value stands. */
  readonly pointer: string;
}

/** Examples and defaults of all schemas that operations use, each once. */
export const schemaValues = ({ operations, reader }: ContractModel): SchemaValue[] => {
  const seen = new Set<string>();
  const found: SchemaValue[] = [];
  const visit = (place: DocumentNode): void => {
    if (!isJson(place.value) || seen.has(place.pointer)) return;
    seen.add(place.pointer);
    const whole = jsonFields(reader.whole(place)) as SchemaModel;
    for (const kind of ['example', 'default'] as const) {
      if (!(kind in place.value)) continue;
      found.push({ kind, value: whole[kind], schema: whole, pointer: `${place.pointer}/${kind}` });
    }
    for (const [, property] of reader.each(reader.go(place, 'properties'))) visit(property);
    for (const key of ['items', 'additionalProperties', 'not']) visit(reader.go(place, key));
    for (const key of ['allOf', 'oneOf', 'anyOf']) {
      for (const [, part] of reader.each(reader.go(place, key))) visit(part);
    }
  };
  for (const { parameters, requestBody, responses } of operations) {
    const described = [
      ...parameters,
      ...(requestBody ? [requestBody] : []),
      ...responses.flatMap(({ headers, body }) => [...headers, ...(body ? [body] : [])]),
    ];
    for (const { schemaPointer } of described) visit(reader.at(schemaPointer));
  }
  return found;
};
