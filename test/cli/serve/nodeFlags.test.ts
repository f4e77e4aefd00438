import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { nodeFlags } from '../../../scripts/tasks/program.mjs';
import { childEnv, root } from '../../support/built.js';
import { makeFolder } from '../../support/folder.js';

test('the installed command starts node with the flags of the service, and passes its arguments on', async () => {
  const folder = await makeFolder();
  const command = join(folder.path, 'voucherd');
  await symlink(join(root, 'scripts/voucherd.mjs'), command);
  // Preloaded: tells what node itself was given, before the program runs.
  const tell = 'data:text/javascript,console.error(JSON.stringify([process.execArgv,process.argv.slice(2)]))';
  const env = childEnv({ NODE_OPTIONS: `--import=${tell}` });
  const { stdout, stderr } = await promisify(execFile)(command, ['--version', '--help=a b'], { env }).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  await folder.remove();
  expect(JSON.parse(stderr.split('\n')[0]!)).toEqual([nodeFlags, ['--version', '--help=a b']]);
  expect(stdout).not.toBe('');
});

test.each(['package.json', 'docs/operate.md'])('%s starts the service with the same flags', async (file) => {
  const text = await readFile(join(root, file), 'utf8');
  const starts = [...text.matchAll(/--(?:max-semi-space-size|heap-growing-percent)=\d+/g)].map(
    ([flag]) => flag,
  );
  expect(new Set(starts)).toEqual(new Set(nodeFlags));
});
