import {
  isJsonMedia,
  isObject,
  mediaTypeOf,
  mergedSchema,
  multipartMedia,
  type Encoding,
  type Schema,
} from '../document.js';

/**
 * The `encoding` of a form in a contract of another service: media types as one text, whatever was written.
 */
export const adaptEncoding = (encoding: unknown): Readonly<Record<string, Encoding>> =>
  isObject(encoding)
    ? Object.fromEntries(
        Object.entries(encoding).flatMap(([name, field]) =>
          isObject(field) ? [[name, adaptMediaTypes(field)] as const] : [],
        ),
      )
    : {};

const adaptMediaTypes = ({ contentType, ...rest }: Record<string, unknown>): Encoding => {
  const ranges = [contentType]
    .flat()
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
    .map((range) => range.trim())
    .filter((range) => range !== '')
    .map((range) => (range === '*' ? '*/*' : range));
  return ranges.length > 0 ? { ...rest, contentType: ranges.join(', ') } : rest;
};

/**
 * The schema of a form whose objects may be written in another way than as JSON: as XML, say.
 * Such a field can only be taken as it is, like a file.
 */
export const withUnreadFields = (
  media: string,
  schema: Schema,
  encoding: Readonly<Record<string, Encoding>>,
): Schema => {
  const { properties } = schema;
  if (media !== multipartMedia || !properties) return schema;
  const adapted = Object.entries(properties).map(([name, field]): [string, Schema] => [
    name,
    isUnread(encoding[name]) ? asFile(field) : field,
  ]);
  return { ...schema, properties: Object.fromEntries(adapted) };
};

const readRanges = ['*/*', 'application/*', 'text/*', 'text/plain'];

const isUnread = ({ contentType, style }: Encoding = {}): boolean =>
  style === undefined &&
  contentType !== undefined &&
  contentType
    .split(',')
    .map((range) => mediaTypeOf(range) ?? '')
    .every((range) => !isJsonMedia(range) && !readRanges.includes(range));

const asFile = (field: Schema): Schema => {
  const { type, items, properties } = mergedSchema(field);
  if (items) {
    const item = asFile(items);
    return item === items ? field : { type: 'array', items: item };
  }
  return type === 'object' || properties ? { type: 'string', format: 'binary' } : field;
};
