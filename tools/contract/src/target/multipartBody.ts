import { multipartMedia, type Encoding } from '../../../../src/contract/document.js';
import { isFileSchema } from '../../../../src/contract/bodies/fileFields.js';
import type { BodyModel } from '../document/operations.js';
import type { SchemaModel } from '../document/schemaModel.js';

/** A form with files. Samples have a file as the text that is in it. */
export const isMultipart = ({ mediaType }: Pick<BodyModel, 'mediaType'>): boolean =>
  mediaType === multipartMedia;

/** Is a field a file, or a list of them? */
export const isFileField = (field: SchemaModel = {}): boolean =>
  field.type === 'array' && field.items ? isFileField(field.items) : isFileSchema(field);

const usualBoundary = 'voucherd-contract-run';

/** What a malformed body may begin with, and what its `Content-Type` says then. */
export const partStart = `--${usualBoundary}\r\n`;
export const lastDelimiter = `--${usualBoundary}--`;
export const multipartType = (boundary = usualBoundary): string => `${multipartMedia}; boundary=${boundary}`;

/** Bodies that no service may accept: without an end, without names, or with other things than parts. */
export const malformedMultipart = (field: string): string[] => [
  `${partStart}Content-Disposition: form-data; name="${field}"\r\n\r\n1`,
  `${partStart}Content-Disposition: form-data; name="${field}"`,
  `${partStart}\r\n1\r\n`,
  '--other--\r\n',
];

/** The fields of a form as its parts. */
export const writeMultipart = (
  pairs: readonly (readonly [name: string, value: string])[],
  { schema, encoding = {} }: Pick<BodyModel, 'schema' | 'encoding'>,
): { readonly mediaType: string; readonly body: string } => {
  let boundary = usualBoundary;
  while (pairs.some((pair) => pair.some((text) => text.includes(boundary)))) boundary += '-';
  const parts = pairs.map(([name, value]) => {
    const field = schema?.properties?.[name];
    const file = isFileField(field)
      ? `; filename="file"\r\nContent-Type: ${typeOf(field, encoding[name])}`
      : '';
    return `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"${file}\r\n\r\n${value}\r\n`;
  });
  return { mediaType: multipartType(boundary), body: `${parts.join('')}--${boundary}--\r\n` };
};

/** Of several, the first; of a range, one that is surely in it. */
const typeOf = ({ contentMediaType, items }: SchemaModel = {}, { contentType }: Encoding = {}): string =>
  ((contentType ?? contentMediaType ?? items?.contentMediaType ?? '*/*').split(',')[0] ?? '')
    .trim()
    .replace(/^\*\/\*$/, 'application/octet-stream')
    .replace(/\*$/, 'x-any');

const escape = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
