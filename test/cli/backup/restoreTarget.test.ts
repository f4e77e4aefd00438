import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { restoreBackup } from '../../../src/backup/restore.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { expectOneLine, run, startProgram, type Ended } from '../../support/cli.js';
import { makeCliFixture } from '../../support/cliFixture.js';
import { forAllTests } from '../../support/fixture.js';
import { makeFolder } from '../../support/folder.js';

let backup: string;
const at = (...parts: string[]) => join(folder.path, ...parts);

const folder = forAllTests(makeFolder, 'remove');
const cli = forAllTests(makeCliFixture, 'remove');
beforeAll(async () => {
  backup = at('a.backup');
  for (const line of [
    'controller add --name Haus --kind simulated',
    'site add --name Hauptgebäude --controller Haus',
    'controller test Haus --create',
  ])
    expect(await cli.voucherd(...line.split(' '))).toMatchObject({ status: 0 });
  writeFileSync(join(cli.dataDir, 'secret.key'), '0c'.repeat(32));
  expect(await cli.voucherd('backup', backup)).toMatchObject({ status: 0 });
  writeFileSync(at('disk.mjs'), faultyDisk);
});

let folders = 0;
const newFolder = (): string => {
  const path = at(`restored-${String((folders += 1))}`);
  mkdirSync(path);
  return path;
};
const restore = (dataDir: string): Promise<Ended> => run(['restore', backup, '--data-dir', dataDir]);

/** Stands for a file system without hard links, or whose folders can't be synced. */
const faultyDisk = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { fsyncSync, renameSync } = fs;
const fail = (code) => { throw Object.assign(new Error(code), { code }); };
const { FSYNC_CODE, LINK_CODE } = process.env;
if (FSYNC_CODE) fs.fsyncSync = (opened) =>
  fs.fstatSync(opened).isDirectory() && fs.existsSync(process.env.PUBLISHED) ? fail(FSYNC_CODE) : fsyncSync(opened);
if (LINK_CODE) {
  fs.linkSync = () => fail(LINK_CODE);
  fs.renameSync = (from, to) => {
    try {
      fs.writeFileSync(to, 'by somebody else', { flag: 'wx' });
      process.stderr.write('replaced a file of somebody else');
    } catch {}
    renameSync(from, to);
  };
}
syncBuiltinESMExports();
`;
const onFaultyDisk = (argv: string[], env: Record<string, string>): Promise<Ended> =>
  startProgram(argv, { ...env, NODE_OPTIONS: `--import=${pathToFileURL(at('disk.mjs')).href}` }).ended;

test('a database that appears while a restore waits for its lock stays', async () => {
  const dataDir = newFolder();
  const target = join(dataDir, 'voucherd.sqlite');
  const restoring = restoreBackup({
    ...{ backup, target, dataDir, system: nodeSystem, signal: new AbortController().signal },
    makeFolders: () => undefined,
    chooseKey: () => Promise.resolve({ key: undefined, isStored: false }),
    listener: { onBegin: () => undefined, onBlocked: () => undefined },
  });
  // It has looked for a database, and waits.
  writeFileSync(target, 'by somebody else');
  await expect(restoring).rejects.toThrow(`there is a database already: ${target} is not overwritten`);
  expect(readFileSync(target, 'utf8')).toBe('by somebody else');
});

test('of restores that are started together one makes the database, and the others leave it', async () => {
  const dataDir = newFolder();
  const ended = await Promise.all([restore(dataDir), restore(dataDir), restore(dataDir)]);
  expect(ended.filter(({ status }) => status === 0)).toHaveLength(1);
  expect(await run(['site', 'list'], { DATA_DIR: dataDir })).toMatchObject({
    status: 0,
    out: expect.stringContaining('Hauptgebäude'),
  });
});

test.each([
  'voucherd.sqlite-wal',
  'voucherd.sqlite-journal',
  'simulated-1.sqlite',
  'simulated-1.sqlite-wal',
  'simulated-1.sqlite-journal',
])('is refused beside a left-over %s', async (name) => {
  const dataDir = newFolder();
  writeFileSync(join(dataDir, name), 'x');
  expectOneLine(await restore(dataDir), join(dataDir, name));
  expect(readdirSync(dataDir)).toEqual([name]);
});

test.each(['voucherd.sqlite', 'simulated-1.sqlite'])('replaces no link in the place of %s', async (name) => {
  const dataDir = newFolder();
  symlinkSync(at('nowhere'), join(dataDir, name));
  expectOneLine(await restore(dataDir), `${name} is a symbolic link, and is not replaced`);
  expect(lstatSync(join(dataDir, name)).isSymbolicLink()).toBe(true);
  expect(existsSync(at('nowhere'))).toBe(false);
});

test('takes a copy beside an empty log, but not one with something in it', async () => {
  writeFileSync(`${backup}-wal`, '');
  expect(await restore(newFolder())).toMatchObject({ status: 0 });
  writeFileSync(`${backup}-wal`, 'x');
  expectOneLine(await restore(newFolder()), 'is a database in use');
  rmSync(`${backup}-wal`);
});

test.each([
  ['EINVAL', 0, ''],
  ['ENOTSUP', 0, ''],
  ['EIO', 6, 'voucherd.sqlite is restored, but a power failure may still undo it (EIO): check the disk'],
])('a folder that answers %s when it is synced loses no part of the database', async (code, status, line) => {
  const dataDir = newFolder();
  const database = join(dataDir, 'voucherd.sqlite');
  const argv = ['restore', backup, '--data-dir', dataDir, '--key-file', join(cli.dataDir, 'secret.key')];
  const ended = await onFaultyDisk(argv, { FSYNC_CODE: code, PUBLISHED: database });
  expect(ended).toMatchObject({ status, err: expect.stringContaining(line) });
  expect(readdirSync(dataDir).filter((name) => !name.endsWith('.lock'))).toEqual([
    'secret.key',
    'simulated-1.sqlite',
    'voucherd.sqlite',
  ]);
});

test('without hard links a file that appears at the last moment is not replaced', async () => {
  const file = at('b.backup');
  expect(await onFaultyDisk(['backup', file], { ...cli.env, LINK_CODE: 'EPERM' })).toMatchObject({
    status: 0,
    err: '',
  });
  expect((lstatSync(file).mode & 0o777).toString(8)).toBe('600');
  expect(readFileSync(file).subarray(0, 6).toString()).toBe('SQLite');
});
