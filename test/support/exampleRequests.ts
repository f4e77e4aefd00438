import { loadContract, type Operation } from '../../src/contract/contract.js';
import { jsonMedia, type Parameter } from '../../src/contract/document.js';
import { contractFile } from './contract.js';

/** A request that an operation grants in a service whose first site has the id 1: it is made of examples. */
export interface ExampleRequest {
  readonly operationId: string;
  readonly method: string;
  /** With its parameters and the query. */
  readonly path: string;
  readonly body: unknown;
  /** The status of a good answer. */
  readonly status: number;
  /** What a method of the SDK takes. */
  readonly sdkOptions: object;
}

const examplesOf = (parameters: readonly Parameter[], place: string): Record<string, unknown> =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === place && parameter.required === true)
      .map(({ name, example }) => [name, example]),
  );

const requestOf = ({ id, method, definition, location }: Operation): ExampleRequest => {
  const parameters = definition.parameters ?? [];
  const [path, query] = [examplesOf(parameters, 'path'), examplesOf(parameters, 'query')];
  const content = definition.requestBody?.content[jsonMedia];
  const body: unknown = content?.example ?? content?.schema?.['example'];
  const search = new URLSearchParams(query as Record<string, string>);
  const filled = String(location[1]).replace(/\{([^}]+)\}/g, (_, parameter: string) =>
    encodeURIComponent(String(path[parameter])),
  );
  return {
    operationId: id,
    method: method.toUpperCase(),
    path: search.size === 0 ? filled : `${filled}?${search.toString()}`,
    body,
    status: Math.min(...Object.keys(definition.responses).map(Number)),
    sdkOptions: Object.fromEntries(
      Object.entries({ path, query, headers: examplesOf(parameters, 'header'), body }).filter(
        ([, part]) => part !== undefined && Object.keys(part as object).length > 0,
      ),
    ),
  };
};

/** One for every operation of a contract. */
export const exampleRequests = (file: string = contractFile): ExampleRequest[] =>
  [...loadContract(file).operations.values()].map(requestOf);
