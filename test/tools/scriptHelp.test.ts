import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/**
 * The entries of the folders that these scripts write to, with the times of their last change. Not all of dist: the test
 * of the SDK writes dist/sdk, perhaps at the same time.
 */
const written = (): string[] =>
  ['dist/src', 'dist/program', 'dist/web', 'generated'].flatMap((folder) =>
    readdirSync(folder)
      .map((name) => join(folder, name))
      .map((path) => `${path} ${String(statSync(path, { throwIfNoEntry: false })?.mtimeMs)}`),
  );

const node = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' });

test.each([
  ['scripts/build.mjs', 'npm run build'],
  ['scripts/generate.mjs', 'npm run generate'],
  ['scripts/lint.mjs', 'npm run lint'],
  ['scripts/typecheck.mjs', 'npm run typecheck'],
  ['scripts/check.mjs', 'npm test'],
  ['scripts/dev.mjs', 'npm run dev'],
  ['scripts/soak.mjs', 'npm run soak'],
])('%s --help says what the script does, and does nothing else', (script, says) => {
  const before = written();
  const { status, stdout, stderr } = node(script, '--help');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.startsWith(says)).toBe(true);
  expect(written()).toEqual(before);
});
