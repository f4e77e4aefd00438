import { sample } from 'openapi-sampler';
import { readClientContract } from '../../../scripts/sdk/clientContract.js';
import { isObject, methods } from '../../../src/contract/document.js';

type Fields = Record<string, unknown>;

/** What a call is an example of. */
export const callKinds = ['list', 'query', 'create', 'change', 'delete'] as const;
export type CallKind = (typeof callKinds)[number];

export interface ExampleCall {
  readonly kind: CallKind;
  /** `GET /rooms`. */
  readonly request: string;
  readonly options: Fields;
}

const asFields = (value: unknown): Fields => (isObject(value) ? value : {});

const kindOf = (method: string, path: string, query: Fields): CallKind | undefined => {
  if (method === 'get')
    return Object.keys(query).length > 0 ? 'query' : path.includes('{') ? undefined : 'list';
  if (method === 'post') return 'create';
  if (method === 'put' || method === 'patch') return 'change';
  return method === 'delete' ? 'delete' : undefined;
};

const isTaken = (type: string): boolean =>
  /^application\/(?:(?:[\w.+-]+\+)?json|x-www-form-urlencoded)\b/.test(type);

/** Calls with values that are made of the schemas, of operations that take JSON, a form or nothing. */
export const exampleCalls = (file: string): ExampleCall[] => {
  const { document } = readClientContract(file);
  const valueOf = (described: Fields, skipNonRequired = true): unknown =>
    described['example'] ??
    sample(asFields(described['schema']), { skipNonRequired, skipReadOnly: true, quiet: true }, document);
  return Object.entries(asFields(document['paths'])).flatMap(([path, item]) =>
    methods.flatMap((method): ExampleCall[] => {
      const operation = asFields(item)[method];
      if (!isObject(operation)) return [];
      const parameters = operation['parameters'] as Fields[];
      const optionalQuery = parameters.find((each) => each['in'] === 'query');
      const valuesIn = (place: string): Fields =>
        Object.fromEntries(
          parameters
            .filter((each) => each['in'] === place && (each['required'] === true || each === optionalQuery))
            .map((each) => [String(each['name']), valueOf(each)]),
        );
      const requestBody = asFields(operation['requestBody']);
      const media = Object.entries(asFields(requestBody['content'])).find(([type]) => isTaken(type));
      if (operation['requestBody'] !== undefined && !media) return [];
      const isSent = media && (requestBody['required'] === true || method !== 'get');
      const [query, path_, headers] = [valuesIn('query'), valuesIn('path'), valuesIn('header')];
      const kind = kindOf(method, path, query);
      if (!kind) return [];
      const options = { query, path: path_, headers, ...(isSent && { body: valueOf(asFields(media[1])) }) };
      return [{ kind, request: `${method.toUpperCase()} ${path}`, options }];
    }),
  );
};
