// A test file for `endedCheck.test.ts`, which runs it in a check of its own. Its name keeps it out of other runs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { startProgram } from '../support/cli.js';

test('starts a service and waits until it is ended', async () => {
  const folder = process.env['ENDLESS_CHECK_FOLDER'] ?? '';
  const service = startProgram(['serve', '--json'], { DATA_DIR: join(folder, 'data'), PORT: '0' });
  await service.url();
  writeFileSync(join(folder, 'started'), '');
  await service.ended;
});
