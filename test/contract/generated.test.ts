import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { root } from '../support/built.js';
import { changedContract, contractFile, webContractFile } from '../support/contract.js';
import { makeFolder, type TestFolder } from '../support/folder.js';

let folder: TestFolder | undefined;
afterEach(() => folder?.remove());

const folders = ['scripts', 'generated', 'src', 'handlers', 'docs'];

/** A checkout in a folder of this name, as far as contract, types and documents need it. */
const checkoutIn = async (name: string): Promise<string> => {
  folder = await makeFolder();
  const checkout = join(folder.path, name);
  mkdirSync(checkout);
  for (const part of [...folders, 'package.json', contractFile, webContractFile, 'redocly.yaml'])
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  return checkout;
};

const statusOf = (checkout: string, script: string, ...args: string[]): number | null =>
  spawnSync(process.execPath, [join(checkout, 'scripts', script), ...args], { stdio: 'ignore' }).status;

// `npm test` itself does the same in a folder with a plain name.
test.each(['Grüße an #1, 100% (neu) [x] & y'])(
  'in a folder called %j the generated types follow the contract, which is linted there',
  async (name) => {
    const checkout = await checkoutIn(name);
    expect(statusOf(checkout, 'generate.mjs', '--check')).toBe(0);
    expect(statusOf(checkout, 'lintContract.mjs')).toBe(0);
  },
);

test('types that do not follow the contract fail the check', async () => {
  const checkout = await checkoutIn('anders');
  const contract = changedContract(['formatted_code: { type: string', 'formatted_code: { type: integer']);
  cpSync(contract.file, join(checkout, contractFile));
  contract.remove();
  expect(statusOf(checkout, 'generate.mjs', '--check')).toBe(1);
});

test('a contract that breaks a rule fails the lint', async () => {
  const checkout = await checkoutIn('falsch');
  writeFileSync(join(checkout, contractFile), 'openapi: 3.0.3\ninfo: {}\n');
  expect(statusOf(checkout, 'lintContract.mjs')).toBe(1);
});
