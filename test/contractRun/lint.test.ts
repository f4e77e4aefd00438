import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tryContractModel } from '../../tools/contract/src/contract.js';
import { lint } from '../../tools/contract/src/lint/lint.js';
import type { CaseResult } from '../../tools/contract/src/run/results.js';

// @ts-expect-error a plugin of Redocly has no types
import { extensions } from '../../scripts/lint/contractRules.mjs';
import { contractFile, webContractFile } from '../support/contract.js';
import { optionsOf, runStageAlone } from './stageRun.js';

const source = readFileSync(contractFile, 'utf8');

const lintSource = async (text: string): Promise<readonly CaseResult[]> => {
  const result = await runStageAlone(lint, {
    contract: tryContractModel(text),
    options: optionsOf(),
  });
  return result.stages[0]!.cases;
};

const withOutcome = (cases: readonly CaseResult[], outcome: string): CaseResult[] =>
  cases.filter((one) => one.outcome === outcome);

interface Slip {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly says: RegExp;
  readonly line: string;
}

/** Slips that do not get in each other's way; Redocly takes a second to start. */
const slips: readonly Slip[] = [
  {
    name: 'an operation without an operationId',
    from: '      operationId: listSites\n',
    to: '',
    says: /operationId/,
    line: 'get:',
  },
  {
    name: 'an operation without a scope',
    from: '      x-scope: write\n',
    to: '',
    says: /has no x-scope/,
    line: 'post:',
  },
  {
    name: 'a scope that does not exist',
    from: 'x-scope: read',
    to: 'x-scope: admin',
    says: /x-scope cannot be "admin"/,
    line: 'x-scope: admin',
  },
  {
    name: 'a request body without an example',
    from: '            example:\n              site_id: 1\n              name: Familie Berger\n',
    to: '            x-example:\n              site_id: 1\n              name: Familie Berger\n',
    says: /body has no example/,
    line: 'application/json:',
  },
  {
    name: 'a parameter without an example',
    from: '          example: 6f1c2a34-booking-8812\n',
    to: '',
    says: /Idempotency-Key has no example/,
    line: '- name: Idempotency-Key',
  },
  {
    name: 'a parameter with a wrong example',
    from: '          example: 1\n',
    to: '          example: one\n',
    says: /must be integer/,
    line: 'example: one',
  },
  {
    name: 'a status without a schema',
    from: "              schema: { $ref: '#/components/schemas/SiteList' }\n",
    to: '',
    says: /body has no schema/,
    line: 'application/json:',
  },
  {
    name: 'a status without a body that should have one',
    from: "      content:\n        application/json:\n          schema: { $ref: '#/components/schemas/Error' }\n          example: { error: not_found, message: Site nicht gefunden }\n",
    to: '',
    says: /404 has no content/,
    line: "'404': { $ref: '#/components/responses/SiteNotFound' }",
  },
  {
    name: 'an extension key that there is not',
    from: 'x-lenient: true',
    to: 'x-leniant: true',
    says: /no extension key x-leniant/,
    line: 'x-leniant: true',
  },
  {
    name: 'an extension key in the wrong place',
    from: 'x-otherwise: empty',
    to: 'x-error: empty',
    says: /x-error means nothing here: it belongs to Response/,
    line: 'x-error: empty',
  },
  {
    name: 'an extension key that the head of the file does not explain',
    from: '#   x-trim ',
    to: '#   ',
    says: /x-trim is not explained at the head/,
    line: 'x-trim: true',
  },
  {
    name: 'a reference to nothing',
    from: "schema: { $ref: '#/components/schemas/VoucherList' }",
    to: "schema: { $ref: '#/components/schemas/Vouchers' }",
    says: /resolve/,
    line: "schema: { $ref: '#/components/schemas/Vouchers' }",
  },
];

let cases: readonly CaseResult[];

beforeAll(async () => {
  let text = source;
  for (const { name, from, to } of slips) {
    if (!text.includes(from)) throw new Error(`the contract has no place for ${name}`);
    text = text.replace(from, () => to);
  }
  // In an example every name is allowed.
  cases = await lintSource(
    text.replace('example: { error: forbidden, ', 'example: { x-own: 1, error: forbidden, '),
  );
});

test('our contract follows every rule', async () => {
  const good = await lintSource(source);
  expect(withOutcome(good, 'passed')).toHaveLength(good.length);
  expect(good.map(({ name }) => name)).toContain('every operation has an x-scope');
});

describe('it is reported, with the line', () => {
  test('every slip of a designer', () => {
    const shown = slips.map(({ name, says }) => {
      const found = withOutcome(cases, 'failed').filter(({ problem }) => says.test(problem!.what));
      for (const { problem } of found) expect(problem!.at).toMatch(/^openapi\.yaml:\d+:\d+$/);
      return [name, found.map(({ problem }) => problem!.line)];
    });
    expect(shown).toEqual(slips.map(({ name, line }) => [name, expect.arrayContaining([line])]));
  });

  test('which operation it is in', () => {
    const found = withOutcome(cases, 'failed').find(({ problem }) => problem!.what.includes('no x-scope'));
    expect(found?.operationId).toBe('createVoucher');
  });

  test('a name in an example is no extension key', () => {
    const keys = withOutcome(cases, 'failed').filter(({ problem }) =>
      /extension key x-own/.test(problem!.what),
    );
    expect(keys).toEqual([]);
  });
});

test('what Redocly only recommends is a warning, and a 202 without a body is no mistake', async () => {
  const later =
    "        '202':\n          description: It will be done\n          headers:\n            <<: *response-headers\n";
  const text = source
    .replace('\n  schemas:\n', '$&    Unused: { type: object }\n')
    .replace("        '304': { $ref", (found) => later + found);
  const judged = await lintSource(text);
  expect(withOutcome(judged, 'warned').map(({ problem }) => problem?.what)).toEqual([
    expect.stringContaining('"Unused" is never used'),
  ]);
  expect(withOutcome(judged, 'failed')).toEqual([]);
});

test('two operations with one operationId are reported', async () => {
  const text = source.replace('operationId: listSites', 'operationId: listVouchers');
  const failed = withOutcome(await lintSource(text), 'failed');
  expect(failed.map(({ name }) => name)).toContain('no two operations have the same operationId');
});

test('the head of the contract and docs/contract.md explain every extension key, and no other', () => {
  const known = Object.keys(extensions as object).sort();
  const headOf = (file: string): string => readFileSync(file, 'utf8').split('\nopenapi:')[0]!;
  const head = headOf(contractFile) + headOf(webContractFile);
  const named = (text: string): string[] => [...new Set(text.match(/(?<![\w/])x-[a-z-]+/g))].sort();
  expect(named(head)).toEqual(known);
  expect(named(readFileSync('docs/contract.md', 'utf8'))).toEqual(known);
});
