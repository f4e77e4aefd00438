import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { compareTypes, makeTypes, types } from '../../tools/contract/src/types/types.js';
import { contractFile } from '../support/contract.js';
import { casesOf, contract, optionsOf, runStageAlone } from './stageRun.js';

const source = readFileSync(contractFile, 'utf8');
const run = async (stage: typeof types, text = source) => {
  const result = await runStageAlone(stage, {
    contract: parseContractModel(text),
    options: optionsOf(),
  });
  return result.stages[0]!.cases;
};

test('the types of this checkout are those of its contract', async () => {
  expect(await run(types)).toMatchObject([
    { name: 'generated/openapi.ts follows the contract', outcome: 'passed' },
  ]);
});

test('stale types fail with the first line that differs', async () => {
  // Its example does not fit any more; that is for `lint` to tell, and no reason to have no types.
  const changed = source.replace('formatted_code: { type: string', 'formatted_code: { type: integer');
  const [failed] = await run(types, changed);
  expect(failed).toMatchObject({
    outcome: 'failed',
    problem: {
      what: 'The types are not those of the contract: npm run generate\n- formatted_code: string;\n+ formatted_code: number;',
      at: expect.stringMatching(/^generated\/openapi\.ts:\d+:1$/),
      line: 'formatted_code: string;',
    },
  });
});

test('missing types fail', async () => {
  const [failed] = await run(makeTypes({ readTypes: async () => undefined }));
  expect(failed?.problem?.what).toBe('There is no generated/openapi.ts: npm run generate');
});

test('a contract of which no types can be made fails the stage', async () => {
  const loaded = { ...contract.loaded, document: { ...contract.loaded.document, openapi: '1.0' } };
  const unreadable = { ...contract, loaded };
  const result = await runStageAlone(types, { contract: unreadable, options: optionsOf() });
  const [failed] = casesOf(result);
  expect(failed?.problem?.what).toContain('openapi-typescript can make no types of it');
});

describe('comparing types', () => {
  test('ignores how lines end', () => {
    expect(compareTypes('generated/openapi.ts', 'a\r\nb\r\n', 'a\nb\n')).toBeUndefined();
  });

  test('tells of a line too few and of one too many', () => {
    expect(compareTypes('generated/openapi.ts', 'a\n', 'a\nb\n')).toMatchObject({
      what: expect.stringContaining('- the end of the file\n+ b'),
      at: 'generated/openapi.ts:1:1',
    });
    expect(compareTypes('generated/openapi.ts', 'a\nb\n', 'a\n')).toMatchObject({
      what: expect.stringContaining('- b\n+ the end of the file'),
      at: 'generated/openapi.ts:2:1',
    });
  });
});
