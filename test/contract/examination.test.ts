import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadGivenContract } from '../../src/cli/givenContract.js';
import type { Contract } from '../../src/contract/contract.js';
import { makeExchangeCheck } from '../../src/contract/proxy/exchangeCheck.js';
import { makeBodyGenerator } from '../../src/contract/mock/mock.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/fixture.js';

const folder = forAllTests(makeFolder, 'remove');

/** A contract of another service, and why parts of it are left out. */
const load = async (
  responses: object,
  openapi = '3.0.3',
): Promise<{ contract: Contract; reasons: string[] }> => {
  const file = join(folder.path, 'other.json');
  const paths = {
    '/a': { get: { operationId: 'a', responses } },
    '/b': { get: { operationId: 'b', responses } },
  };
  await writeFile(file, JSON.stringify({ openapi, info: { title: 'Other', version: '1' }, paths }));
  const reasons: string[] = [];
  return {
    contract: loadGivenContract(
      file,
      () => '',
      (reason) => void reasons.push(reason),
    ),
    reasons,
  };
};

const use = (contract: Contract, id: string) => {
  const operation = contract.operations.get(id)!;
  contract.examine!(operation);
  return operation.definition.responses['200']!;
};

const integer = { type: 'integer' };
const answering = (media: object, more = {}) => ({
  '200': { description: 'd', content: { 'application/json': media }, ...more },
});

test('an operation is examined when it is used, and once', async () => {
  const { contract, reasons } = await load(answering({ schema: integer, example: 'one' }));
  expect(reasons).toEqual([]);
  use(contract, 'a');
  use(contract, 'a');
  expect(reasons).toEqual([
    expect.stringMatching(
      /other\.json:1:\d+: GET \/a: 200: the example does not fit its schema: must be integer; it is not used$/,
    ),
  ]);
});

test('of several examples only the one that does not fit is left out', async () => {
  const examples = { good: { value: 1 }, bad: { value: 'x' }, fine: { value: 2 } };
  const { contract, reasons } = await load(answering({ schema: integer, examples }));
  expect(use(contract, 'a').content?.['application/json']?.examples).toEqual({
    good: { value: 1 },
    fine: { value: 2 },
  });
  expect(reasons).toHaveLength(1);
  // The same examples of another operation are its own.
  expect(
    contract.operations.get('b')?.definition.responses['200']?.content?.['application/json']?.examples,
  ).toEqual(examples);
});

test('where no example fits, a body is generated', async () => {
  const examples = { bad: { value: 'x' }, worse: { value: 'y' } };
  const { contract, reasons } = await load(answering({ schema: integer, examples }));
  use(contract, 'a');
  expect(reasons).toHaveLength(2);
  const generate = await makeBodyGenerator(contract, () => true);
  expect(generate(contract.operations.get('a')!, 200, {} as Parameters<typeof generate>[2])).toEqual(
    expect.any(Number),
  );
});

test('a header whose example can not be sent is left out, and the others stay', async () => {
  const headers = {
    'X-Example': { schema: { type: 'string' }, example: 'one\ntwo' },
    'X-Schema': { schema: { type: 'string', example: 'ł' } },
    'X-Good': { schema: { type: 'string' }, example: 'good' },
  };
  const { contract, reasons } = await load(answering({ schema: integer }, { headers }));
  const served = use(contract, 'a').headers!;
  expect(Object.keys(served)).toEqual(['X-Example', 'X-Good']);
  expect([served['X-Example']?.example, served['X-Good']?.example]).toEqual([undefined, 'good']);
  expect(reasons).toHaveLength(2);
});

test('examples that a schema of OpenAPI 3.1 lists are for people, and need not fit', async () => {
  const { contract, reasons } = await load(answering({ schema: { ...integer, examples: ['one'] } }), '3.1.0');
  use(contract, 'a');
  expect(reasons).toEqual([]);
});

test('an invalid schema is refused at each use, told once, and a proxy does not compare with it', async () => {
  const { contract, reasons } = await load(answering({ schema: { type: 'integer', minimum: 'a' } }));
  const check = makeExchangeCheck(contract);
  for (const _time of [1, 2]) {
    expect(() => use(contract, 'a')).toThrow(/GET \/a: schema: \/minimum must be number$/);
    expect(check.route({ method: 'GET', path: '/a' })).toEqual({
      operation: undefined,
      pathValues: {},
      violations: [],
    });
  }
  expect(reasons).toHaveLength(1);
  expect(check.route({ method: 'GET', path: '/c' }).violations).toHaveLength(1);
});

test('examples in schemas may have ids, which are not ids of schemas', async () => {
  const item = { type: 'object', example: { $id: '01234500-12f1-1234-aa12-b1d234cb567e' } };
  const schema = { type: 'object', properties: { one: item, two: { ...item, title: 'Two' } } };
  const { contract, reasons } = await load(answering({ schema }));
  use(contract, 'a');
  expect(reasons).toEqual([]);
});
