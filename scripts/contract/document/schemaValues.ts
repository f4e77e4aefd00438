import type { Contract } from '../contract.js';
import { fieldsOf, isObject } from './json.js';
import type { Place } from './references.js';
import type { Schema } from './types.js';

/** A value that a schema itself gives: its example or its default. */
export interface SchemaValue {
  readonly kind: 'example' | 'default';
  readonly value: unknown;
  /** Without references. */
  readonly schema: Schema;
  /** Where the value stands. */
  readonly pointer: string;
}

/** Examples and defaults of all schemas that operations use, each once. */
export const schemaValues = ({ operations, reader }: Contract): SchemaValue[] => {
  const seen = new Set<string>();
  const found: SchemaValue[] = [];
  const visit = (place: Place): void => {
    if (!isObject(place.value) || seen.has(place.pointer)) return;
    seen.add(place.pointer);
    const whole = fieldsOf(reader.whole(place)) as Schema;
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
