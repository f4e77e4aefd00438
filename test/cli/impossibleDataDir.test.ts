import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeDataDir, readConfig } from '../../src/config/config.js';
import { expectOneLine, startProgram } from '../support/cli.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { until } from '../support/until.js';

let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
  chmodSync(folder.path, 0o755);
  writeFileSync(join(folder.path, 'file'), '');
  symlinkSync(join(folder.path, 'nowhere'), join(folder.path, 'link'));
  mkdirSync(join(folder.path, 'locked'));
  chmodSync(join(folder.path, 'locked'), 0o500);
});
afterAll(() => folder.remove());

const refusal = (dataDir: string, reason: string): string =>
  `voucherd: DATA_DIR: "${dataDir}" is not allowed: a folder that this user can make and write to; ${reason}\n`;

/** In a process of its own, which may be busy for ever. */
const expectRefused = async (command: string, dataDir: string, reason: string): Promise<void> => {
  const program = startProgram(command.split(' '), { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
  try {
    await until('it ends', () => program.process.exitCode !== null, 120_000);
  } finally {
    program.process.kill('SIGKILL');
  }
  expectOneLine(await program.ended, refusal(dataDir, reason));
};

describe.each(['serve', 'migrate', 'key create --name x --scope read --yes'])('%s', (command) => {
  const onLinux = existsSync('/proc/self') ? test : test.skip;

  onLinux.each(['/proc/x', '/proc/x/y'])('ends at once where the system makes no folders: %s', (dataDir) =>
    expectRefused(command, dataDir, 'the system lets nobody create anything in /proc'),
  );

  test('ends at once where a file is, or below one', async () => {
    const file = join(folder.path, 'file');
    await expectRefused(command, file, 'there is something else of that name');
    await expectRefused(command, join(file, 'data'), 'a part of the path is a file');
  });

  test('ends at once where a link leads nowhere', () =>
    expectRefused(command, join(folder.path, 'link'), 'there is something else of that name'));
});

test('a folder in which this user may not write is refused', () => {
  const isRoot = process.geteuid?.() === 0;
  const locked = join(folder.path, 'locked');
  // Root may write everywhere, so the question is asked as somebody else; `access` asks for the real user all the same.
  if (isRoot) process.seteuid?.(65_534);
  try {
    for (const dataDir of [join(locked, 'data'), ...(isRoot ? [] : [locked])])
      expect(() => makeDataDir(readConfig({ DATA_DIR: dataDir }))).toThrow(
        `DATA_DIR: "${dataDir}" is not allowed: a folder that this user can make and write to; this user has no permission`,
      );
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});
