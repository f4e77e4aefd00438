import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
// @ts-expect-error a script without types
import { groupByCause, lintContract } from '../../scripts/lint/lintContract.mjs';
import { contractFile } from '../support/contract.js';

interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly line: number;
  readonly also: readonly { readonly line: number }[];
}

const written = readFileSync(contractFile, 'utf8');

const lint = (source: string): Promise<Finding[]> =>
  (lintContract as (text: string) => Promise<Finding[]>)(source);

const without = (text: string): string => {
  expect(written).toContain(text);
  return written.replace(text, '');
};

test('the contract follows the rules', async () => {
  expect(await lint(written)).toEqual([]);
});

test.each([
  [400, "'#/components/responses/InvalidRequest'", 'what it takes may be invalid'],
  [401, "'#/components/responses/Unauthorized'", 'the key may be missing'],
  [403, "'#/components/responses/Forbidden'", 'the key may lack the scope write'],
  [413, "'#/components/responses/PayloadTooLarge'", 'the body may be too large'],
  [429, "'#/components/responses/RateLimited'", 'the key may have used up its limit'],
  [500, "'#/components/responses/ServerError'", 'the service may fail'],
])(
  'an operation that gives %d and does not document it is found, and nothing else',
  async (status, reference, reason) => {
    const findings = await lint(without(`        '${status}': { $ref: ${reference} }\n`));
    expect(findings).toMatchObject([
      { severity: 'error', message: `${status} is not documented, but ${reason}.`, also: [] },
    ]);
  },
);

test('what is no YAML is found with its place', async () => {
  const broken = written.replace('tags: [sites]', 'tags: *sites');
  const lines = broken.slice(0, broken.indexOf('*sites')).split('\n');
  expect(await lint(broken)).toMatchObject([
    {
      rule: 'yaml',
      severity: 'error',
      message: 'unidentified alias "sites"',
      line: lines.length,
      column: lines.at(-1)!.length + 1,
    },
  ]);
  expect(await lint(written.replace('tags: [sites]', 'tags: [sites'))).toMatchObject([{ rule: 'yaml' }]);
});

test('exclusive bounds are true or false beside their bound', async () => {
  const bounded = (bound: string): string => {
    expect(written).toContain('id: { type: integer, minimum: 1,');
    return written.replace('id: { type: integer, minimum: 1,', `id: { type: integer, ${bound},`);
  };
  expect(await lint(bounded('minimum: 0, exclusiveMinimum: true'))).toEqual([]);
  expect(await lint(bounded('minimum: 1, exclusiveMinimum: false'))).toEqual([]);
  expect(await lint(bounded('minimum: 1, exclusiveMinimum: true'))).toMatchObject([
    { message: expect.stringContaining('must be > 1') },
  ]);
  const numbered = bounded('exclusiveMinimum: 0');
  expect(await lint(numbered)).toMatchObject([
    {
      severity: 'error',
      message:
        'exclusiveMinimum is a number only from OpenAPI 3.1 on: write it as minimum, and exclusiveMinimum: true.',
      line: numbered.slice(0, numbered.indexOf('exclusiveMinimum: 0')).split('\n').length,
    },
  ]);
  expect(await lint(bounded('exclusiveMinimum: true'))).toMatchObject([
    { message: 'exclusiveMinimum: true needs a minimum.' },
  ]);
});

test('an operation for everybody needs neither 401 nor 403 nor 429', async () => {
  const open = without('      x-scope: read\n')
    .replace('      operationId: listSites\n', '$&      security: []\n')
    .replace("        '401': { $ref: '#/components/responses/Unauthorized' }\n", '')
    .replace("        '429': { $ref: '#/components/responses/RateLimited' }\n", '');
  expect(await lint(open)).toEqual([]);
});

test('what one cause does in several places is one finding, with all of them', async () => {
  const findings = await lint(
    without('        used_count: { type: integer, minimum: 0, description: Count of uses }\n'),
  );
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({ severity: 'error', message: expect.stringContaining('`used_count`') });
  expect(findings[0]?.also).toHaveLength(1);
});

test('a component that is used no longer, because the reference to it is wrong, is not another finding', async () => {
  const findings = await lint(
    written.replace("'#/components/schemas/SiteList'", "'#/components/schemas/Sites'"),
  );
  expect(findings).toMatchObject([{ rule: 'no-unresolved-refs' }]);
});

test('a component that nothing uses is found where nothing else is wrong', async () => {
  const findings = await lint(written.replace('\n  schemas:\n', '$&    Unused: { type: object }\n'));
  expect(findings).toMatchObject([{ rule: 'no-unused-components', severity: 'warn' }]);
});

test('findings that name different things, or only keywords, stay apart', () => {
  const messages = [
    '`id` is no integer',
    '`name` is no text',
    'no `description`',
    'no `description` either',
    '`id` again',
  ];
  const findings = messages.map((message, index) => ({
    message,
    rule: 'x',
    severity: 'error',
    line: index,
    column: 1,
  }));
  const causes = (groupByCause as (all: object[]) => Finding[])(findings);
  expect(causes.map(({ message, also }) => [message, also.map(({ line }) => line)])).toEqual([
    ['`id` is no integer', [4]],
    ['`name` is no text', []],
    ['no `description`', []],
    ['no `description` either', []],
  ]);
});
