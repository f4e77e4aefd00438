import { chmodSync, chownSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { acquireServiceLock } from '../../src/database/serviceLock.js';
import { run } from '../support/cli.js';
import { forEachTest } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

const isRoot = process.geteuid?.() === 0;
const ownId = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
/** Exists on every machine. */
const nobody = 65_534;
let dataDir: string;
const folder = forEachTest(makeFolder, 'remove');
beforeEach(async () => {
  dataDir = join(folder.path, 'data');
  chmodSync(folder.path, 0o755);
  mkdirSync(dataDir, { mode: 0o700 });
});

const address = 'https://hooks.example.org/services/x';

/** Commands that make every kind of file there is. While the lock is held, the database is open, too. */
const useCommands = async (databaseDir = dataDir): Promise<void> => {
  const databaseUrl = `sqlite:${join(databaseDir, 'voucherd.sqlite')}`;
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ADDRESS: address };
  for (const line of [
    'controller add --name Haus --kind simulated --yes',
    'site add --name Hauptgebäude --controller Haus',
    'controller test Haus --create',
    'webhook add --name Chat --format slack --url-env ADDRESS',
    'secret rotate',
    'webhook list',
  ])
    expect([line, await run(line.split(' '), env)]).toEqual([line, expect.objectContaining({ status: 0 })]);
  await (
    await acquireServiceLock(databaseUrl)
  )();
};

const expectedFiles = ['secret.key', 'simulated-1.sqlite', 'voucherd.sqlite'];

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));

/** The files that a user can't read and write. */
const closedTo = (uid: number, gid: number): string[] => {
  const files = filesIn(dataDir).filter((file) => statSync(file).isFile());
  process.setegid?.(gid);
  process.seteuid?.(uid);
  try {
    return files.filter((file) => {
      try {
        closeSync(openSync(file, 'r+'));
        return false;
      } catch {
        return true;
      }
    });
  } finally {
    process.seteuid?.(ownId.uid);
    process.setegid?.(ownId.gid);
  }
};

test('what commands make belongs to the owner of the folder', async () => {
  if (isRoot) chownSync(dataDir, nobody, nobody);
  await useCommands();
  expect(filesIn(dataDir)).toEqual(
    expect.arrayContaining([...expectedFiles, 'voucherd.sqlite.lock'].map((name) => join(dataDir, name))),
  );
  const owner = isRoot ? nobody : ownId.uid;
  expect(filesIn(dataDir).filter((file) => statSync(file).uid !== owner)).toEqual([]);
  expect(filesIn(dataDir).filter((file) => (statSync(file).mode & 0o777) !== 0o600)).toEqual([]);
});

// Only root can make files that belong to others.
(isRoot ? describe : describe.skip)("root's commands in the folder of another user", () => {
  test('lock out nobody: the user can read and write every file', async () => {
    chownSync(dataDir, nobody, nobody);
    await useCommands();
    expect(closedTo(nobody, nobody)).toEqual([]);
  });

  test('folders that they make in it, too', async () => {
    chownSync(dataDir, nobody, nobody);
    await useCommands(join(dataDir, 'a/b'));
    expect(filesIn(dataDir).filter((file) => statSync(file).uid !== nobody)).toEqual([]);
    expect(closedTo(nobody, nobody)).toEqual([]);
  });

  test('leave to its group what the group may write', async () => {
    chownSync(dataDir, 0, nobody);
    chmodSync(dataDir, 0o770);
    await useCommands();
    expect(closedTo(nobody - 1, nobody)).toEqual([]);
  });
});
