/**
 * What the fields of a form count as, written from the words of docs/contract.md alone, in another way than the service's
 * own.
 */
import type { BodyModel } from '../../document/operations.js';
import type { SchemaModel } from '../../document/schemaModel.js';
import { jsonOf } from '../../json.js';
import { isObject } from '../../../../../src/contract/document.js';
import { formPairs } from '../../target/formBody.js';
import { isFileField, isMultipart, lastDelimiter } from '../../target/multipartBody.js';

/** The object that a form stands for; `open` where the contract does not say. */
export const formValue = (form: BodyModel, body: string): Record<string, unknown> | 'open' => {
  const { schema = {}, encoding = {} } = form;
  const isFile = (name: string): boolean =>
    isMultipart(form) && schema.properties?.[name]?.[fileText] === true;
  if (Object.keys(encoding).some((name) => !isFile(name))) return 'open';
  const sent = new Map<string, string[]>();
  for (const [name, text] of formPairs({}, body)) {
    // What stands in a header is written in more ways than one.
    if (isMultipart(form) && /[\p{Cc}%\\]/u.test(name)) return 'open';
    sent.set(name, [...(sent.get(name) ?? []), isFile(name) ? toBytes(text) : text]);
  }
  const fields = [...sent].map(
    ([name, texts]) => [name, fieldValue(schema.properties?.[name] ?? {}, texts)] as const,
  );
  return fields.some(([, value]) => value === 'open')
    ? 'open'
    : Object.fromEntries(fields.map(([name, value]) => [name, (value as Known).value]));
};

/** Says of a field of `withFileTexts` that it is a file. */
const fileText = 'x-file-text';

/** A character for each byte, as lengths of files count those. */
const toBytes = (text: string): string => Buffer.from(text).toString('latin1');

/** The schema of a form with files as texts. */
export const withFileTexts = (schema: SchemaModel | undefined): SchemaModel | undefined =>
  schema?.properties && {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [
        name,
        isFileField(field) ? { ...withoutFormat(field), [fileText]: true } : field,
      ]),
    ),
  };

const withoutFormat = ({
  format: _format,
  contentMediaType: _mediaType,
  items,
  ...field
}: SchemaModel): SchemaModel => ({
  ...field,
  ...(items ? { items: withoutFormat(items) } : { type: 'string' }),
});

/** Something else than parts. One with an end may be good; none at all may count as no fields. */
export const isMalformed = (text: string | undefined, parsed: unknown): boolean =>
  text !== undefined && text !== '' && !isObject(parsed) && !text.includes(lastDelimiter);

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
