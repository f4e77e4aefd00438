import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { root } from '../support/built.js';
import { changedContract, contractFile, webContractFile } from '../support/contract.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

const parts = ['scripts', 'generated', 'src', 'handlers', 'docs', 'package.json', 'redocly.yaml'];

/** A checkout as far as contract, types and documents need it. `npm test` itself does the same in a plain folder. */
let checkout: string;
const folder = forAllTests(makeFolder, 'remove');
beforeAll(() => {
  checkout = join(folder.path, 'Grüße an #1, 100% (neu) [x] & y');
  mkdirSync(checkout);
  for (const part of [...parts, contractFile, webContractFile])
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
});

const statusOf = (script: string, ...args: string[]): number | null =>
  spawnSync(process.execPath, [join(checkout, 'scripts', script), ...args], { stdio: 'ignore' }).status;

test('in a folder of any name the generated types follow the contract, which is linted there', () => {
  expect(statusOf('generate.mjs', '--check')).toBe(0);
  expect(statusOf('lintContract.mjs')).toBe(0);
});

test('types that do not follow the contract fail the check', () => {
  const contract = changedContract(['formatted_code: { type: string', 'formatted_code: { type: integer']);
  cpSync(contract.file, join(checkout, contractFile));
  contract.remove();
  expect(statusOf('generate.mjs', '--check')).toBe(1);
});

test('a contract that breaks a rule fails the lint', () => {
  writeFileSync(join(checkout, contractFile), 'openapi: 3.0.3\ninfo: {}\n');
  expect(statusOf('lintContract.mjs')).toBe(1);
});
