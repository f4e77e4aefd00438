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

const scripts = {
  'scripts/build.mjs': 'npm run build',
  'scripts/generate.mjs': 'npm run generate',
  'scripts/lint.mjs': 'npm run lint',
  'scripts/typecheck.mjs': 'npm run typecheck',
  'scripts/check.mjs': 'npm test',
  'scripts/dev.mjs': 'npm run dev',
  'scripts/soak.mjs': 'npm run soak',
};

test('--help says what a script does, and does nothing else', () => {
  const before = written();
  for (const [script, says] of Object.entries(scripts)) {
    const { status, stdout, stderr } = node(script, '--help');
    expect([script, status, stderr]).toEqual([script, 0, '']);
    expect([script, stdout.slice(0, says.length)]).toEqual([script, says]);
  }
  expect(written()).toEqual(before);
});
