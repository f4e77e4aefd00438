/** What the contract says of a body besides its schema: `x-error`, `x-message` and `x-sorted-by`. */
import { isObject } from '../../../../src/contract/document.js';
import { compareSortValues } from '../../../../src/contract/mock/dynamic/values.js';
import type { OperationModel, ResponseModel } from '../document/operations.js';
import type { SchemaModel } from '../document/schemaModel.js';
import { jsonFields } from '../json.js';
import type { HttpAnswer } from '../request.js';

/** What is wrong with the code and the text of an error; `messages` are those of a field that is wrong. */
export const errorFaults = (
  operation: OperationModel,
  { errorCode, message: text, body: documented }: Pick<ResponseModel, 'errorCode' | 'message' | 'body'>,
  answer: Pick<HttpAnswer, 'headers' | 'body'>,
  messages?: readonly string[],
): string[] => {
  // What is wrong with a body that is no JSON is said already.
  if (answer.body === undefined) return [];
  const fields = jsonFields(answer.body);
  const isProblem = [answer.headers['content-type'], documented?.mediaType].some((type) =>
    String(type).startsWith('application/problem+json'),
  );
  const [code, said, message] = isProblem
    ? (['type', 'detail', fields['detail']] as const)
    : (['error', 'message', fields['message']] as const);
  const faults: string[] = [];
  // The type of a problem is an address with the code, or says nothing.
  const isRightCode = isProblem
    ? ['undefined', 'about:blank'].includes(String(fields['type'])) ||
      String(fields['type']).includes(errorCode ?? '')
    : fields['error'] === errorCode;
  if (errorCode !== undefined && !isRightCode)
    faults.push(`${code} is ${JSON.stringify(fields[code])} instead of "${errorCode}"`);
  const values = {
    scope: operation.scope,
    seconds: answer.headers['retry-after'],
    limit: sizeInWords(operation.requestBody?.maxBytes),
  };
  if (messages && !messages.includes(String(message)))
    faults.push(`${said} is ${JSON.stringify(message)} instead of "${messages.join('" or "')}"`);
  else if (text !== undefined && !fits(text, message, values))
    faults.push(`${said} is ${JSON.stringify(message)}, which is not "${filled(text, values)}"`);
  return faults;
};

/** A size as messages say it; the word for bytes depends on their language. */
const sizeInWords = (bytes: number | undefined): string | undefined =>
  bytes !== undefined && bytes % 1024 === 0 ? `${bytes / 1024} KiB` : undefined;

const filled = (text: string, values: Readonly<Record<string, string | undefined>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, word: string) => values[word] ?? whole);

/** A word in braces whose value is not known stands for any text but an empty one. */
const fits = (
  text: string,
  message: unknown,
  values: Readonly<Record<string, string | undefined>>,
): boolean => {
  const literal = (part: string): string => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = text
    .split(/(\{\w+\})/)
    .map((part) => {
      const [, word] = /^\{(\w+)\}$/.exec(part) ?? [];
      if (word === undefined) return literal(part);
      const known = values[word];
      return known === undefined ? '.+' : literal(known);
    })
    .join('');
  return typeof message === 'string' && new RegExp(`^${pattern}$`, 's').test(message);
};

/** What is out of order in the lists of a body whose schema says how they are sorted. */
export const sortingFaults = (schema: SchemaModel | undefined, body: unknown, path = ''): string[] => {
  if (!schema) return [];
  if (isObject(body))
    return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      sortingFaults(field, body[name], path === '' ? name : `${path}.${name}`),
    );
  if (!Array.isArray(body)) return [];
  const inside = body.flatMap((item, index) => sortingFaults(schema.items, item, `${path}[${index}]`));
  const sortedBy = schema['x-sorted-by'];
  return sortedBy === undefined ? inside : [...listFaults(sortedBy, body, path), ...inside];
};

const listFaults = (sortedBy: string, items: readonly unknown[], path: string): string[] => {
  const field = sortedBy.replace(/^-/, '');
  const values = items.map((item) => jsonFields(item)[field]);
  const direction = sortedBy.startsWith('-') ? -1 : 1;
  const index = values.findIndex(
    (value, at) => at > 0 && direction * compareSortValues(values[at - 1], value) > 0,
  );
  if (index < 0) return [];
  const [before, after] = [values[index - 1], values[index]].map((value) => JSON.stringify(value));
  return [`${path} is not sorted by ${sortedBy}: ${before ?? ''} stands before ${after ?? ''}`];
};
