import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeCommand } from '../../scripts/documents/commandTree.js';
import { loadWholeProgram } from '../../src/main.js';
import { runBuilt } from '../support/cli.js';
import { makeConsoleCliFixture, type ConsoleCliFixture } from '../support/consoleCliFixture.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { goodPassword } from '../support/authFixture.js';

let cli: ConsoleCliFixture;
let folder: TestFolder;
beforeAll(async () => {
  cli = await makeConsoleCliFixture({}, { USER_PASSWORD: goodPassword });
  await cli.add('Zentrale', 'unifi');
  folder = await makeFolder();
});
afterAll(async () => {
  await cli.remove();
  await folder.remove();
});

/** Each with its status. In this order: each finds what those before it have made. */
const commandLines: readonly (readonly [status: number, line: string])[] = [
  [0, 'migrate'],
  [0, 'user create --name Anna --role admin --password-env USER_PASSWORD'],
  [0, 'key create --name Kasse --scope write'],
  [0, 'controller test Zentrale'],
  [0, 'site add --name Halle --controller Zentrale'],
  [0, 'webhook list'],
  [0, 'voucher list 1'],
  [0, 'sync'],
  // No PostgreSQL is named.
  [5, 'database copy --to FOLDER/copy.sqlite'],
  [0, 'secret rotate'],
  [0, 'backup FOLDER/built.backup'],
  [0, 'restore FOLDER/built.backup --data-dir FOLDER/restored'],
  [0, 'retention run --dry-run'],
  [0, 'types openapi.yaml --out FOLDER/contract.ts'],
  [0, 'config export FOLDER/built.yaml --without-secrets'],
  [0, 'config import FOLDER/built.yaml'],
  [0, 'import php-tool --dump FOLDER/tool.sql --dry-run'],
  // The driver of the database is there, and no database.
  [6, 'import php-tool --from mysql://tool@127.0.0.1:1/tool --password-env USER_PASSWORD --dry-run'],
  // No service runs.
  [1, 'doctor'],
];

test('each command that ends by itself runs as it is built', async () => {
  await writeFile(join(folder.path, 'tool.sql'), 'CREATE TABLE `sites` (`id` int, `name` varchar(255));');
  // What is bundled is not loaded as Node loads it, so each command has to run once.
  const ended = await runBuilt(
    commandLines.map(([, line]) => line.replaceAll('FOLDER', folder.path).split(' ')),
    cli.env,
  );
  const ends = ended.map(({ status, err }, index) => ({ line: commandLines[index]?.[1], status, err }));
  expect(ends).toEqual(
    commandLines.map(([status, line]) => ({
      ...{ line, status },
      err: status === 0 ? expect.not.stringMatching(/^voucherd: /) : expect.stringMatching(/^voucherd: /),
    })),
  );
  const [imported, fromServer, checked] = ended.slice(-3);
  expect(imported?.out).toContain('0 would be added');
  expect(fromServer?.err).toContain('ECONNREFUSED');
  expect(checked?.out).toContain('Zentrale');

  const { commands } = describeCommand(await loadWholeProgram());
  const run = commandLines.map(([, line]) => line.split(' ')[0]);
  const others = commands.flatMap(({ path }) => path).filter((name) => !run.includes(name));
  expect(others).toEqual(['serve', 'mock', 'proxy', 'contract']);
});
