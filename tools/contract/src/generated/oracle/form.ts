/**
 * What the fields of a form count as, written from the words of docs/contract.md alone, in another way than the service's
 * own.
 */
import type { BodyModel, SchemaModel } from '../../document/operations.js';
import { jsonOf } from '../../json.js';
import { formPairs } from '../../target/formBody.js';

/** The object that a form stands for; `open` where the contract does not say. */
export const formValue = (
  { schema = {}, encoding = {} }: BodyModel,
  body: string,
): Record<string, unknown> | 'open' => {
  if (Object.keys(encoding).length > 0) return 'open';
  const sent = new Map<string, string[]>();
  for (const [name, text] of formPairs({}, body)) sent.set(name, [...(sent.get(name) ?? []), text]);
  const fields = [...sent].map(
    ([name, texts]) => [name, fieldValue(schema.properties?.[name] ?? {}, texts)] as const,
  );
  return fields.some(([, value]) => value === 'open')
    ? 'open'
    : Object.fromEntries(fields.map(([name, value]) => [name, (value as Known).value]));
};

interface Known {
  readonly value: unknown;
}

const fieldValue = (schema: SchemaModel, texts: readonly string[]): Known | 'open' => {
  if (schema.type !== 'array' && texts.length === 1) return textValue(schema, texts[0] ?? '');
  const items = texts.map((text) => textValue(schema.type === 'array' ? (schema.items ?? {}) : {}, text));
  return items.includes('open') ? 'open' : { value: items.map((item) => (item as Known).value) };
};

const textValue = (schema: SchemaModel, text: string): Known | 'open' => {
  if (text === '' && schema.nullable === true && schema.type !== 'string') return { value: null };
  switch (schema.type) {
    case 'integer':
    case 'number':
      if (schema['x-lenient'] === true || Number.isNaN(Number(text)) || text.trim() === '')
        return { value: text };
      // What JavaScript takes for a number and JSON writes otherwise.
      return /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? { value: Number(text) } : 'open';
    case 'boolean':
      return { value: ({ true: true, false: false } as Record<string, unknown>)[text] ?? text };
    case 'object':
      return { value: jsonOf(text) ?? text };
    case 'array':
      return 'open';
    default:
      return { value: text };
  }
};
