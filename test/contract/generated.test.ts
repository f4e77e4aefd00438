import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { changedContract, contractFile } from '../support/contract.js';

/** The check that `npm test` and so CI makes. */
const check = (file: string): number | null =>
  spawnSync(process.execPath, [
    'node_modules/openapi-typescript/bin/cli.js',
    file,
    '-o',
    'generated/openapi.ts',
    '--check',
  ]).status;

test('the generated types follow the contract', () => {
  expect(check(contractFile)).toBe(0);
});

test('types that do not follow the contract fail the check', () => {
  const contract = changedContract(['formatted_code: { type: string', 'formatted_code: { type: integer']);
  const status = check(contract.file);
  contract.remove();
  expect(status).toBe(1);
});
