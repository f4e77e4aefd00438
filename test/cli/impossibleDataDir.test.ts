import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { makeDataDir, readConfig } from '../../src/config/config.js';
import { runBuilt } from '../support/cli.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  chmodSync(folder.path, 0o755);
  writeFileSync(join(folder.path, 'file'), '');
  symlinkSync(join(folder.path, 'nowhere'), join(folder.path, 'link'));
  mkdirSync(join(folder.path, 'locked'));
  chmodSync(join(folder.path, 'locked'), 0o500);
});

const refusal = (dataDir: string, reason: string): string =>
  `voucherd: DATA_DIR: "${dataDir}" is not allowed: a folder that this user can make and write to; ${reason}\n`;

const commands = ['serve', 'migrate', 'key create --name x --scope read --yes'];

/** In a process of its own, which may be busy for ever. */
const expectRefused = async (dataDir: string, reason: string): Promise<void> => {
  const lines = commands.map((line) => line.split(' '));
  const ended = await runBuilt(lines, { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
  const refused = { status: 3, out: '', err: refusal(dataDir, reason) };
  expect(ended.map((one, index) => ({ command: commands[index], ...one }))).toEqual(
    commands.map((command) => ({ command, ...refused })),
  );
};

const onLinux = existsSync('/proc/self') ? test : test.skip;

onLinux('commands end at once where the system makes no folders', async () => {
  for (const dataDir of ['/proc/x', '/proc/x/y'])
    await expectRefused(dataDir, 'the system lets nobody create anything in /proc');
});

test('commands end at once where a file is, below one, and where a link leads nowhere', async () => {
  const file = join(folder.path, 'file');
  await expectRefused(file, 'there is something else of that name');
  await expectRefused(join(file, 'data'), 'a part of the path is a file');
  await expectRefused(join(folder.path, 'link'), 'there is something else of that name');
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
