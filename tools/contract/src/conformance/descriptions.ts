import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { isObject } from '../../../../src/contract/document.js';
import type { ContractModel } from '../contract.js';
import type { ContractUnderTest } from '../contracts.js';
import { jsonFields, jsonList } from '../json.js';
import type { HttpAnswer } from '../request.js';
import { describeFaults, type Fault } from '../stage.js';
import { isDirect } from '../target/scenarioContext.js';
import { statusFaults } from './answers.js';
import { expectedDescription, resolvedDescription } from './expectedDescription.js';
import { methodFaults } from './methods.js';
import { compareWithSpecification } from './specifiedDescription.js';
import { compareAddresses, compareText } from './servedDescription.js';
import type { StatusCheck } from './statuses.js';

/** How the service shows the contract. */
interface Description {
  readonly path: string;
  readonly mediaType: string;
  parse(text: string): unknown;
  /** What must be in it, but for the address of the server. */
  expected(contract: ContractModel): unknown;
  /** The part of it that is compared; throws when it is inconsistent. */
  comparable(served: Record<string, unknown>): Record<string, unknown>;
  /** Is it what the specification lists? */
  readonly isSpecified?: true;
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
          comparable: (served) => served,
        },
        {
          path: shownAt.json,
          mediaType: 'application/json',
          parse: (text) => JSON.parse(text) as unknown,
          expected: expectedDescription,
          comparable: resolvedDescription,
          isSpecified: true,
        },
      ]
    : [];

/** Needs no key, says what the contract says, can be asked for conditionally, and names the address it came from. */
export const checkDescription = async (
  { contract, target, recorder }: StatusCheck,
  { path, mediaType, parse: parseText, expected, comparable, isSpecified }: Description,
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
  let compared: Record<string, unknown>;
  try {
    served = jsonFields(parseText(answer.text));
    compared = comparable(served);
  } catch (error) {
    note('says what the contract says', [fault(`it can not be read: ${String(error)}`)]);
    return;
  }
  note(
    'says what the contract says',
    differingParts(compared, jsonFields(expected(contract))).map((part) =>
      fault(`${part} is not that of the contract`),
    ),
  );

  // The specification is that of version 1.
  if (isSpecified && contract.version.startsWith('1.'))
    for (const { text, holds } of compareWithSpecification(compared))
      note(`follows the specification: ${text}`, holds ? [] : [fault(`it is not so that ${text}`)]);
  if (isSpecified)
    for (const { text, holds } of compareText(answer))
      note(`follows the specification: ${text}`, holds ? [] : [fault(`it is not so that ${text}`)]);
  if (isSpecified && isDirect(target))
    for (const { text, what } of await compareAddresses(target, path))
      note(`follows the specification: ${text}`, what === undefined ? [] : [fault(what)]);

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
  // What stands in front of a service of others may answer itself.
  if (target.fixture) {
    const refused = await get([], 'POST');
    note('has no other methods', methodFaults('POST', ['GET', 'HEAD'], refused));
  }
};

/** The outermost parts that differ: components, and the parts of an operation, one by one, to show where to look. */
const differingParts = (
  served: Record<string, unknown>,
  expected: Record<string, unknown>,
  path: readonly string[] = [],
): string[] =>
  [...new Set([...Object.keys(served), ...Object.keys(expected)])]
    .filter((name) => path.length > 0 || name !== 'servers')
    .filter((name) => !isDeepStrictEqual(served[name], expected[name]))
    .flatMap((name) => {
      const own = [...path, name];
      const [is, shouldBe] = [served[name], expected[name]];
      return isWide(own) && isObject(is) && isObject(shouldBe)
        ? differingParts(is, shouldBe, own)
        : [own.join('.')];
    });

const isWide = ([root, ...path]: readonly string[]): boolean =>
  (root === 'paths' && (path.length < 3 || (path.length === 3 && path[2] === 'responses'))) ||
  (root === 'components' && (path.length === 0 || path.join() === 'schemas'));
