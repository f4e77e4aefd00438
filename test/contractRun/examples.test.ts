import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { examples } from '../../tools/contract/src/examples/examples.js';
import type { CaseResult } from '../../tools/contract/src/run/results.js';
import { contractFile } from '../support/contract.js';
import { casesOf, failuresOf, optionsOf, runStageAlone, type StageRun } from './stageRun.js';

const source = readFileSync(contractFile, 'utf8');

/** Runs the stage on a changed contract; there is no service that it could ask. */
const run = (...changes: (readonly [from: string, to: string])[]): Promise<StageRun> => {
  let text = source;
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`the contract has no "${from}"`);
    text = text.replace(from, () => to);
  }
  return runStageAlone(examples, { contract: parseContractModel(text), options: optionsOf() });
};

const failed = (result: StageRun): CaseResult[] =>
  casesOf(result).filter(({ outcome }) => outcome === 'failed');

/** The first operation with the error that tests change. */
const withSiteNotFound = parseContractModel(source).operations.find(({ responses }) =>
  responses.some(({ status }) => status === 404),
)?.id;

test('every example and every default of our contract is what the contract says, each once', async () => {
  const cases = casesOf(await run());
  expect(cases.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  const names = cases.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of [
    'createVoucher body: the example fits the contract',
    'createVoucher header Idempotency-Key: the example fits the contract',
    'listVouchers query site_id: the example fits the contract',
    'createVoucher 502 body: the example fits the contract',
    'listSites 200 header ETag: the example fits the contract',
    'createVoucher body max_uses, default fits its schema',
  ])
    expect(names).toContain(name);
});

test('an operation that the code does not have yet is judged like the others', async () => {
  const operation = `  /bees:
    get:
      operationId: listBees
      x-scope: read
      responses:
        '200':
          description: The bees
          content:
            application/json:
              schema: { type: object, required: [bees], properties: { bees: { type: integer } } }
              example: { bees: many }
`;
  expect(failuresOf(await run(['paths:\n', `paths:\n${operation}`]))).toEqual({
    'listBees 200 body: the example fits the contract':
      'The value does not fit its schema: bees must be integer',
  });
});

describe('is reported with its own line:', () => {
  test('a field that the schema does not name', async () => {
    const [found] = failed(await run(['formatted_code: 44703-44703', 'formated_code: 44703-44703']));
    expect(found).toMatchObject({
      name: 'createVoucher 201 body: the example fits the contract',
      problem: { what: expect.stringContaining('a field that the schema does not name: formated_code') },
    });
  });

  test('a value of another type', async () => {
    const changed = await run([
      'max_uses: 2\n              expire_minutes',
      'max_uses: two\n              expire_minutes',
    ]);
    expect(failed(changed)[0]?.problem).toMatchObject({
      what: 'The value does not fit its schema: max_uses must be integer',
      line: 'max_uses: two',
    });
  });

  test('a default that does not fit its schema', async () => {
    expect(failuresOf(await run(['default: 480', 'default: 0']))).toHaveProperty(
      ['createVoucher body expire_minutes, default fits its schema'],
      expect.stringContaining('must be >= 1'),
    );
  });

  test('a request that fits its schema, and that the contract refuses all the same', async () => {
    const blank = await run([
      'name: Familie Berger\n              max_uses',
      "name: ' '\n              max_uses",
    ]);
    expect(failuresOf(blank)).toEqual({
      'createVoucher body: the example fits the contract':
        'The example is not what the contract says: the contract refuses body name',
    });
  });

  test('an error with another code or text than that of its status', async () => {
    const code = await run(['example: { error: not_found, message', 'example: { error: forbidden, message']);
    expect(failuresOf(code)).toEqual({
      [`${withSiteNotFound} 404 body: the example fits the contract`]:
        'The example is not what the contract says: error is "forbidden" instead of "not_found"',
    });
    const text = await run([
      'example: { error: not_found, message: Site nicht gefunden }',
      'example: { error: not_found, message: Nichts }',
    ]);
    expect(Object.values(failuresOf(text))[0]).toContain('which is not "Site nicht gefunden"');
  });

  test('a shared error that names the limit of no operation', async () => {
    const post = (id: string, kib: number): string => `
  /${id}:
    post:
      operationId: ${id}
      security: []
      requestBody:
        x-max-bytes: ${kib * 1024}
        content: { application/json: { schema: { type: object }, example: {} } }
      responses:
        '204': { description: d }
        '413': { $ref: '#/components/responses/TooLarge' }`;
    const sizes = (example: string): string => `openapi: 3.0.3
info: { title: t, version: '1' }
servers: [{ url: / }]
paths:${post('plan', 64)}${post('photo', 1024)}
components:
  responses:
    TooLarge:
      description: d
      x-error: payload_too_large
      x-message: At most {limit}
      content:
        application/json:
          schema: { type: object, properties: { error: { type: string }, message: { type: string } } }
          example: { error: payload_too_large, message: At most ${example} }
`;
    const runOf = (example: string): Promise<StageRun> =>
      runStageAlone(examples, { contract: parseContractModel(sizes(example)), options: optionsOf() });
    for (const one of ['64 KiB', '1024 KiB']) expect(failuresOf(await runOf(one))).toEqual({});
    expect(failuresOf(await runOf('9 KiB'))).toEqual({
      'plan 413 body: the example fits the contract':
        'The example is not what the contract says: message is "At most 9 KiB", which is not "At most 64 KiB"',
    });
  });
});
