// A test file for `endedCheck.test.ts`, which runs it in a check of its own. Its name keeps it out of other runs. It
// imports nothing of the program: loading all of it would take longer than everything else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { childEnv, root } from '../support/built.js';

test('starts a service and waits until it is ended', async () => {
  const folder = process.env['ENDLESS_CHECK_FOLDER'] ?? '';
  const service = spawn(process.execPath, ['scripts/voucherd.mjs', 'serve', '--json'], {
    cwd: root,
    env: childEnv({ DATA_DIR: join(folder, 'data'), PORT: '0' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Its address, once it answers.
  await once(service.stdout, 'data');
  writeFileSync(join(folder, 'started'), '');
  await once(service, 'exit');
});
