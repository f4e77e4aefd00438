import { exampleRequests, type ExampleRequest } from './exampleRequests.js';

/** A text in the body of an example of a contract. */
interface ExampleText {
  /** Such as `createUser: name`. */
  readonly name: string;
  readonly request: ExampleRequest;
  /** The body with another text in its place. */
  replaceBy(text: string): unknown;
}

type Way = readonly (string | number)[];

/** The ways to all texts in a value. */
const textsIn = (value: unknown, way: Way = []): Way[] => {
  if (typeof value === 'string') return [way];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => textsIn(field, [...way, name]));
};

const withText = (value: unknown, [first, ...rest]: Way, text: string): unknown => {
  if (first === undefined) return text;
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      String(index) === String(first) ? withText(item, rest, text) : item,
    );
  const fields = value as Record<string, unknown>;
  return { ...fields, [first]: withText(fields[first], rest, text) };
};

/** Every text of every request of a contract. */
export const exampleTexts = (contractFile: string): ExampleText[] =>
  exampleRequests(contractFile)
    .filter(({ body }) => body !== undefined)
    .flatMap((request) =>
      textsIn(request.body).map((way) => ({
        name: `${request.operationId}: ${way.join('.')}`,
        request,
        replaceBy: (text: string) => withText(request.body, way, text),
      })),
    );
