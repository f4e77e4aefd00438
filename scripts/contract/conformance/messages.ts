import { jsonFields, jsonText } from '../document/json.js';
import type { OperationModel } from '../document/types.js';
import type { HttpAnswer } from '../request.js';

/** Says what is wrong with the code and the text of an error, as `x-error` and `x-message` give them. */
export const errorFaults = (
  operation: OperationModel,
  answer: HttpAnswer,
  messages: readonly string[] | undefined,
): string[] => {
  // What is wrong with a body that is no JSON is said already.
  if (answer.body === undefined) return [];
  const documented = jsonFields(jsonFields(operation.resolved['responses'])[String(answer.status)]);
  const code = jsonText(documented['x-error']);
  const text = jsonText(documented['x-message']);
  const { error, message } = jsonFields(answer.body);
  const faults: string[] = [];
  if (code !== undefined && error !== code) {
    faults.push(`error is ${JSON.stringify(error)} instead of "${code}"`);
  }
  if (messages && !messages.includes(String(message))) {
    faults.push(`message is ${JSON.stringify(message)} instead of "${messages.join('" or "')}"`);
  } else if (text !== undefined && !fits(text, message, valuesFor(operation, answer))) {
    faults.push(`message is ${JSON.stringify(message)}, which is not "${text}"`);
  }
  return faults;
};

/** What is known of the words in braces. */
const valuesFor = (
  { scope }: OperationModel,
  { headers }: HttpAnswer,
): Record<string, string | undefined> => ({
  scope,
  seconds: headers['retry-after'],
});

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
