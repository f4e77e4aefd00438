import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { childEnv, root } from '../support/built.js';

test('the built benchmark starts and prints its options', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/tools/bench/src/main.js', '--help'], {
    cwd: root,
    env: childEnv({}),
  });
  expect(stdout).toContain('--rounds');
});
