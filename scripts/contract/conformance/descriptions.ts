import { isDeepStrictEqual } from 'node:util';
import dereferencing from 'dereference-json-schema';
import { parse } from 'yaml';
import type { ContractModel } from '../contract.js';
import { jsonFields, isJson, jsonList, type Json } from '../document/json.js';
import type { HttpAnswer } from '../request.js';
import { excerpt } from './answers.js';
import type { StatusCheck } from './statuses.js';

interface Description {
  readonly path: string;
  readonly mediaType: string;
  read(text: string): unknown;
  /** What is wrong with what it says, but for the address of the server. */
  faults(contract: ContractModel, served: Json): string[];
}

/** The whole contract, as the designer wrote it. */
const wholeContract: Description = {
  path: '/openapi.yaml',
  mediaType: 'application/yaml',
  read: (text) => parse(text) as unknown,
  faults: ({ document }, served) =>
    isDeepStrictEqual({ ...served, servers: [] }, { ...document, servers: [] })
      ? []
      : ['it is another contract than the one that is tested'],
};

/** The part that the contract marks as described, without extension keys. */
const describedPart: Description = {
  path: '/openapi.php',
  mediaType: 'application/json',
  read: (text) => JSON.parse(text) as unknown,
  faults: (contract, served) => {
    const { paths } = dereferencing.dereferenceSync(structuredClone(served)) as Json;
    return contract.operations.flatMap(({ id, path, method, resolved }) => {
      const found = jsonFields(jsonFields(paths)[path])[method.toLowerCase()];
      if (!isJson(found)) return [`${id} is missing`];
      const expected = withoutExtensions(described(resolved));
      return isDeepStrictEqual(found, expected) ? [] : [`${id} is described otherwise than in the contract`];
    });
  },
};

export const descriptions: readonly Description[] = [wholeContract, describedPart];

const described = (operation: Json): Json => {
  const { tags: _tags, parameters, responses, ...rest } = operation;
  const statuses = operation['x-described'];
  const shown = jsonList(parameters).filter((parameter) => jsonFields(parameter)['x-described'] !== false);
  return {
    ...rest,
    ...(shown.length > 0 && { parameters: shown }),
    responses: Object.fromEntries(
      Object.entries(jsonFields(responses))
        .filter(([status]) => !Array.isArray(statuses) || statuses.includes(Number(status)))
        .map(([status, response]) => {
          const { headers: _headers, ...described } = jsonFields(response);
          return [status, described];
        }),
    ),
  };
};

/** No client can run into a bound that the service applies by itself, so it is not described. */
const withoutExtensions = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutExtensions);
  if (!isJson(node)) return node;
  const isHidden = (name: string): boolean =>
    name.startsWith('x-') ||
    (name === 'minimum' && 'x-below-minimum' in node) ||
    (name === 'maximum' && 'x-above-maximum' in node);
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => !isHidden(name))
      .map(([name, value]) => [name, withoutExtensions(value)]),
  );
};

/** Needs no key, says what the contract says, can be asked for conditionally, and names the address it came from. */
export const checkDescription = async (
  { contract, target, recorder }: StatusCheck,
  { path, mediaType, read, faults }: Description,
): Promise<void> => {
  const get = (headers: readonly (readonly [string, string])[] = [], method = 'GET'): Promise<HttpAnswer> =>
    target.send({ method, requestTarget: path, headers });
  const curl = target.curl({ method: 'GET', requestTarget: path, headers: [] });
  const note = (name: string, found: readonly string[]): void => {
    const tried = { name: `${path} ${name}` };
    if (found.length === 0) recorder.passed(tried);
    else recorder.failed(tried, { what: found.join('; '), curl });
  };

  const answer = await get();
  note(`is ${mediaType}, without a key`, typeFaults(answer, mediaType));
  let served: Json;
  try {
    served = jsonFields(read(answer.text));
  } catch (error) {
    note('says what the contract says', [`it can not be read: ${String(error)}`]);
    return;
  }
  note('says what the contract says', faults(contract, served));

  const { url } = jsonFields(jsonList(served['servers'])[0]);
  const address = { name: `${path} names the address of the service` };
  const problem = { what: `servers[0].url is ${String(url)} instead of ${target.url}`, curl };
  if (url === target.url) recorder.passed(address);
  // A service behind something else may have another address for its clients than for this run.
  else if (target.fixture) recorder.failed(address, problem);
  else recorder.warned(address, problem);

  const again = await get([['If-None-Match', answer.headers.etag ?? '']]);
  note('is 304 while its ETag is the same', statusFaults(again, 304));
  const head = await get([], 'HEAD');
  note('has a HEAD', [...statusFaults(head, 200), ...(head.text === '' ? [] : ['HEAD has a body'])]);
};

const statusFaults = (answer: HttpAnswer, status: number): string[] =>
  answer.status === status ? [] : [`the status is ${answer.status} instead of ${status}: ${excerpt(answer)}`];

const typeFaults = (answer: HttpAnswer, mediaType: string): string[] => {
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
  return [...statusFaults(answer, 200), ...(type === mediaType ? [] : [`Content-Type is "${type}"`])];
};
