import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findProgramName, formatPlace, toShellWord } from '../../src/lib/commandLine.js';
import { startProgram } from '../support/cli.js';
import { putSqliteDatabase } from '../support/databases.js';
import { makeFolder, type TestFolder } from '../support/folder.js';

let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());
const at = (...parts: string[]) => join(folder.path, ...parts);

const writeProgram = async (file: string) => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '#!/bin/sh\n');
  await chmod(file, 0o755);
};

/** A package in a folder of its own, and a folder elsewhere. */
const prepare = async (name: string) => {
  const root = at(name, 'voucherd');
  const elsewhere = at(name, 'elsewhere');
  await writeProgram(join(root, 'scripts', 'voucherd.mjs'));
  await mkdir(join(root, 'docs'));
  await mkdir(elsewhere);
  return { root, elsewhere };
};

describe('what a hint calls the program', () => {
  test('in a checkout, and below it, it is called through npx', async () => {
    const { root } = await prepare('checkout');
    const path = '/usr/bin:/bin';
    expect(findProgramName({ path, cwd: root, root })).toBe('npx voucherd');
    expect(findProgramName({ path, cwd: join(root, 'docs'), root })).toBe('npx voucherd');
  });

  test('what npm adds to the PATH of what it runs does not count', async () => {
    const { root } = await prepare('npm');
    const bin = join(root, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await symlink(join(root, 'scripts', 'voucherd.mjs'), join(bin, 'voucherd'));
    expect(findProgramName({ path: `${bin}:/usr/bin`, cwd: root, root })).toBe('npx voucherd');
  });

  test('where it is installed on the PATH, its name is enough, in the checkout too', async () => {
    const { root, elsewhere } = await prepare('installed');
    const bin = at('installed', 'bin');
    await mkdir(bin);
    await symlink(join(root, 'scripts', 'voucherd.mjs'), join(bin, 'voucherd'));
    for (const cwd of [root, elsewhere])
      expect(findProgramName({ path: `/usr/bin:${bin}`, cwd, root })).toBe('voucherd');
  });

  test('another one on the PATH is not meant in a checkout, but may be a wrapper elsewhere', async () => {
    const { root, elsewhere } = await prepare('other');
    await writeProgram(at('other', 'bin', 'voucherd'));
    const path = at('other', 'bin');
    expect(findProgramName({ path, cwd: root, root })).toBe('npx voucherd');
    expect(findProgramName({ path, cwd: elsewhere, root })).toBe('voucherd');
  });

  test('a project that has it among its packages calls it through npx', async () => {
    const project = at('project');
    const root = join(project, 'node_modules', 'voucherd');
    await writeProgram(join(root, 'scripts', 'voucherd.mjs'));
    await writeProgram(join(project, 'node_modules', '.bin', 'voucherd'));
    expect(findProgramName({ path: '/usr/bin', cwd: project, root })).toBe('npx voucherd');
  });

  test('elsewhere its file is named', async () => {
    const { root, elsewhere } = await prepare('a file');
    expect(findProgramName({ path: '/usr/bin', cwd: elsewhere, root })).toBe(
      `node "${root}/scripts/voucherd.mjs"`,
    );
  });
});

test('the program as built prints what can be pasted in its checkout', async () => {
  await mkdir(at('data'));
  await putSqliteDatabase(at('data'));
  const { ended } = startProgram(['site', 'list'], { DATA_DIR: at('data'), PATH: '/usr/bin:/bin' });
  expect((await ended).err).toBe(
    `no sites yet: DATA_DIR=${toShellWord(at('data'))} npx voucherd site add --name N --controller C\n`,
  );
});

test.each([
  [{}, ''],
  [{ DATA_DIR: '/var/lib/voucherd' }, 'DATA_DIR=/var/lib/voucherd '],
  [{ DATA_DIR: '/with space/$x' }, `DATA_DIR='/with space/$x' `],
  [{ DATABASE_URL: 'sqlite:/d/v.sqlite' }, 'DATABASE_URL=sqlite:/d/v.sqlite '],
  [{ DATABASE_URL: 'postgres://voucherd@db/voucherd' }, 'DATABASE_URL="postgres://voucherd@db/voucherd" '],
  [{ DATABASE_URL: 'postgres://voucherd:geheim@db/voucherd', DATA_DIR: '/d' }, 'DATA_DIR=/d '],
  [{ DATABASE_URL: 'postgres://a:@b:c@db/voucherd' }, ''],
  [{ DATABASE_URL: 'postgres://db/voucherd?user=x&password=geheim' }, ''],
  [{ DATABASE_URL_FILE: '/run/secrets/url' }, 'DATABASE_URL_FILE=/run/secrets/url '],
])('a hint names where the data is, and no password: %j', (env, place) => {
  expect(formatPlace(env)).toBe(place);
});

test('documents write commands as they can be pasted in a checkout', async () => {
  const files = [
    'README.md',
    ...(await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => join('docs', name)),
  ];
  const bare =
    /(?<!npx |\/)\bvoucherd (?:serve|mock|proxy|migrate|import|user|key|site|voucher|sync|controller|webhook|secret|backup|config|doctor)\b.*/g;
  const found = await Promise.all(
    files.map(async (file) => (await readFile(file, 'utf8')).match(bare) ?? []),
  );
  expect(found.flat()).toEqual([]);
});

test('no command is written into a text in any other way', async () => {
  const files = (await readdir('src/cli', { recursive: true }))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src/cli', name));
  const written =
    /(?<!`npx )voucherd (?:serve|mock|proxy|migrate|key|site|voucher|sync|controller|webhook|secret|doctor)\b.*/g;
  const found = await Promise.all(
    files.map(async (file) =>
      ((await readFile(file, 'utf8')).match(written) ?? []).map((text) => [file, text]),
    ),
  );
  // A voucher and a message that name what they were made by.
  expect(
    found.flat().filter(([, text]) => !/^voucherd (?:controller|webhook) test'/.test(text ?? '')),
  ).toEqual([]);
});
