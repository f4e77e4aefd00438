import { oneOf, type Cursor } from '../cursor.js';
import { isObject, mergedSchema, type Schema } from '../document.js';
import { fieldSchemas } from './formFields.js';
import type { SchemaContext } from '../schemaChecks.js';

/** How the fields of a form may be written. */
const listStyles = ['form', 'spaceDelimited', 'pipeDelimited'];

/** Refuses a form that has no fields, and an `encoding` that would not be obeyed. */
export const checkForm = (content: Cursor, { here }: Pick<SchemaContext, 'here'>): void => {
  const schema = content.field('schema');
  const written = isObject(schema.value) ? schema.value : {};
  const { type, oneOf: alternatives, anyOf } = mergedSchema(written);
  if (type !== 'object' && (type !== undefined || !(alternatives ?? anyOf)))
    schema.refuse(`${here}: a form has fields, so its schema must be one of objects`);
  if (!content.has('encoding')) return;
  const fields = fieldSchemas(written);
  for (const [name, encoding] of content.field('encoding').fields(`${here}: encoding`)) {
    const what = `${here}: encoding of ${name}`;
    const field = fields.get(name);
    if (!field) encoding.refuse(`${what}: there is no such field`);
    for (const [key, value] of encoding.fields(what))
      checkEncoding(key, value, mergedSchema(field ?? {}), what);
  }
};

const checkEncoding = (key: string, value: Cursor, { type }: Schema, what: string): void => {
  switch (key) {
    case 'style':
      oneOf(value, type === 'object' ? ['deepObject'] : listStyles, `${what}: style`);
      break;
    case 'explode':
    case 'allowReserved':
      oneOf(value, [true, false], `${what}: ${key}`);
      break;
    case 'contentType':
      value.text(`${what}: contentType`);
      break;
    default:
      value.refuse(`${what}: ${key} is not supported`);
  }
};
