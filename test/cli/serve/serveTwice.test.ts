import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectOneLine, run, startProgram } from '../../support/cli.js';
import { makeFolder, type TestFolder } from '../../support/folder.js';

let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const envOf = (dataDir: string) => ({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
const refused = /^voucherd: another service runs on .*voucherd\.sqlite: stop it first/;

test('a second service on one SQLite file is refused, commands are not, and a kill makes room', async () => {
  const env = envOf(join(folder.path, 'data'));
  const first = startProgram(['serve', '--json'], env);
  await first.url();

  expectOneLine(await startProgram(['serve'], env).ended, refused);
  // By another name it is the same file.
  await symlink(join(folder.path, 'data'), join(folder.path, 'other'));
  expectOneLine(await startProgram(['serve'], envOf(join(folder.path, 'other'))).ended, refused);
  expect(await run(['key', 'create', '--name', 'x', '--scope', 'read'], env)).toMatchObject({ status: 0 });
  expect(await run(['migrate'], env)).toMatchObject({ status: 0 });

  first.process.kill('SIGKILL');
  await first.ended;
  const second = startProgram(['serve', '--json'], env);
  await second.url();
  // Its start is what counts here; a signal that comes before it listens for one ends it as well.
  second.process.kill('SIGKILL');
  await second.ended;
});
