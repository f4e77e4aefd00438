import { isObject, type Encoding } from '../../../../src/contract/document.js';
import { isForm, type BodyModel, type OperationModel } from '../document/operations.js';
import { jsonFields, jsonList, jsonOf, parseWithTexts } from '../json.js';
import type { HttpRequest } from '../request.js';
import { isMultipart, multipartType, writeMultipart } from './multipartBody.js';

/** A body with its type, as it is sent. */
interface SentBody {
  readonly mediaType: string;
  readonly body: NonNullable<HttpRequest['body']>;
}

/** The part of a sample that matters here. */
interface SampleBody {
  readonly body?: string | undefined;
}

/** Samples have the fields of a form as JSON. Anything else is sent as it is. */
export const sentBody = (
  { requestBody }: Pick<OperationModel, 'requestBody'>,
  { body }: SampleBody,
): SentBody | undefined => {
  if (body === undefined) return undefined;
  const mediaType = requestBody?.mediaType ?? 'application/json';
  if (!requestBody || !isForm(requestBody)) return { mediaType, body };
  if (!isObject(jsonOf(body)))
    return { mediaType: isMultipart(requestBody) ? multipartType() : mediaType, body };
  if (isMultipart(requestBody)) return writeMultipart(formPairs(requestBody, body), requestBody);
  const pairs = formPairs(requestBody, body).map((pair) =>
    pair.map((text) => encodeURIComponent(text)).join('='),
  );
  return { mediaType, body: pairs.join('&') };
};

/** The fields of a form: a list is a repeated name, an object is JSON, and a number stays as it is written. */
export const formPairs = ({ encoding = {} }: Pick<BodyModel, 'encoding'>, body: string): SentField[] => {
  const parsed = jsonFields(jsonOf(body));
  return Object.entries(jsonFields(parseWithTexts(body))).flatMap(([name, value]) =>
    fieldPairs(name.toWellFormed(), value, parsed[name], Object.hasOwn(encoding, name) ? encoding[name] : {}),
  );
};

type SentField = readonly [name: string, value: string];

const separators: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** `written` has each number as its text. */
const fieldPairs = (
  name: string,
  written: unknown,
  value: unknown,
  { style = 'form', explode = style === 'form' }: Encoding = {},
): SentField[] => {
  if (style === 'deepObject' && (isObject(written) || Array.isArray(written)))
    return Object.entries(written).flatMap(([key, inner]) =>
      fieldPairs(`${name}[${key.toWellFormed()}]`, inner, (value as Record<string, unknown>)[key], { style }),
    );
  if (!Array.isArray(written)) return [[name, fieldText(written, value)]];
  const texts = written.map((item, index) => fieldText(item, jsonList(value)[index]));
  return explode
    ? texts.map((text) => [name, text] as const)
    : [[name, texts.join(separators[style] ?? ',')]];
};

const fieldText = (value: unknown, whole: unknown): string => {
  if (typeof value === 'string') return value.toWellFormed();
  return value === null ? '' : JSON.stringify(whole).toWellFormed();
};

/** The body with as much behind it as it takes to be that long. */
export const paddedBody = (operation: OperationModel, { body = '' }: SampleBody, bytes: number): string => {
  const sent = sentBody(operation, { body })?.body.toString() ?? '';
  const missing = Math.max(0, bytes - Buffer.byteLength(sent));
  const filler = operation.requestBody && isForm(operation.requestBody) ? '&' : ' ';
  return sent + filler.repeat(missing);
};
