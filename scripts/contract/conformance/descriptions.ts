import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { describeContract } from '../../../src/contract/description.js';
import type { ContractModel } from '../contract.js';
import type { ContractUnderTest } from '../contracts.js';
import { jsonFields, jsonList } from '../json.js';
import type { HttpAnswer } from '../request.js';
import { describeFaults, type Fault } from '../stage.js';
import { statusFaults } from './answers.js';
import type { StatusCheck } from './statuses.js';

/** How the service shows the contract. */
interface Description {
  readonly path: string;
  readonly mediaType: string;
  parse(text: string): unknown;
  /** What must be in it, but for the address of the server. */
  expected(contract: ContractModel): unknown;
}

/** The whole contract, as the designer wrote it, and the part that it marks as described. */
export const descriptionsOf = ({ shownAt }: ContractUnderTest): Description[] =>
  shownAt
    ? [
        {
          path: shownAt.yaml,
          mediaType: 'application/yaml',
          parse: (text) => parse(text) as unknown,
          expected: ({ loaded }) => loaded.document,
        },
        {
          path: shownAt.json,
          mediaType: 'application/json',
          parse: (text) => JSON.parse(text) as unknown,
          expected: ({ loaded }) => JSON.parse(describeContract(loaded).json('')) as unknown,
        },
      ]
    : [];

/** Needs no key, says what the contract says, can be asked for conditionally, and names the address it came from. */
export const checkDescription = async (
  { contract, target, recorder }: StatusCheck,
  { path, mediaType, parse: parseText, expected }: Description,
): Promise<void> => {
  const get = (headers: readonly (readonly [string, string])[] = [], method = 'GET'): Promise<HttpAnswer> =>
    target.send({ method, requestTarget: path, headers });
  const curl = target.curl({ method: 'GET', requestTarget: path, headers: [] });
  const fault = (text: string): Fault => ({ text, cause: `${path} ${text}` });
  const note = (name: string, found: readonly Fault[]): void => {
    const tried = { name: `${path} ${name}` };
    if (found.length === 0) recorder.passed(tried);
    else recorder.failed(tried, { ...describeFaults(found), curl });
  };

  const answer = await get();
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
  note(`is ${mediaType}, without a key`, [
    ...statusFaults({ id: path }, [200], answer),
    ...(type === mediaType ? [] : [fault(`Content-Type is "${type}"`)]),
  ]);
  let served: Record<string, unknown>;
  try {
    served = jsonFields(parseText(answer.text));
  } catch (error) {
    note('says what the contract says', [fault(`it can not be read: ${String(error)}`)]);
    return;
  }
  note(
    'says what the contract says',
    differingParts(served, jsonFields(expected(contract))).map((part) =>
      fault(`${part} is not that of the contract`),
    ),
  );

  const { url } = jsonFields(jsonList(served['servers'])[0]);
  const address = { name: `${path} names the address of the service` };
  const problem = { what: `servers[0].url is ${String(url)} instead of ${target.url}`, curl };
  if (url === target.url) recorder.passed(address);
  // A service behind something else may have another address for its clients than for this run.
  else if (target.fixture) recorder.failed(address, { ...problem, cause: 'servers[0].url' });
  else recorder.warned(address, problem);

  const again = await get([['If-None-Match', answer.headers.etag ?? '']]);
  note('is 304 while its ETag is the same', statusFaults({ id: path }, [304], again));
  const head = await get([], 'HEAD');
  note('has a HEAD', [
    ...statusFaults({ id: path }, [200], head),
    ...(head.text === '' ? [] : [fault('HEAD has a body')]),
  ]);
};

/** The outermost parts that differ: paths and components one by one, to show where to look. */
const differingParts = (
  served: Record<string, unknown>,
  expected: Record<string, unknown>,
  path = '',
): string[] =>
  [...new Set([...Object.keys(served), ...Object.keys(expected)])]
    .filter((name) => path !== '' || name !== 'servers')
    .filter((name) => !isDeepStrictEqual(served[name], expected[name]))
    .flatMap((name) => {
      const own = path === '' ? name : `${path}.${name}`;
      const isWide = ['paths', 'components', 'components.schemas'].includes(own);
      return isWide ? differingParts(jsonFields(served[name]), jsonFields(expected[name]), own) : [own];
    });
