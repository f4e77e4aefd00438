import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { childEnv, root } from '../support/built.js';
import { expectOneLine, run, type Ended } from '../support/cli.js';
import { forEachTest } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

const folder = forEachTest(makeFolder, 'remove');

const createKey = ['key', 'create', '--name', 'Buchung', '--scope', 'write'];

/** Runs a command as built, in the folder, without DATA_DIR. */
const runInFolder = async (argv: readonly string[]): Promise<Ended> => {
  const child = spawn(process.execPath, [join(root, 'scripts/voucherd.mjs'), ...argv], {
    cwd: folder.path,
    env: childEnv(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => void (err += String(chunk)));
  await once(child, 'close');
  return { status: child.exitCode, out, err };
};

test('without DATA_DIR a command makes no database unless it is told to, and says where it works', async () => {
  const data = join(folder.path, 'data');
  for (const argv of [createKey, ['migrate']])
    expectOneLine(
      await runInFolder(argv),
      `there is no database in ${data} (DATA_DIR is not set): set DATA_DIR to that of the service, or start the service, which creates one, or give --yes to create one there`,
    );
  expect(existsSync(data)).toBe(false);

  const created = await runInFolder([...createKey, '--yes']);
  const isRoot = process.geteuid?.() === 0;
  const root = `it belongs to root; for a service of another user: chown -R USER "${data}"\n`;
  expect(created).toMatchObject({
    status: 0,
    err: `making a new database in ${data}\n${isRoot ? root : ''}`,
  });
  expect(created.out).toMatch(/^uvt_\w+\n$/);
  const second = await runInFolder(createKey);
  expect(second).toMatchObject({ status: 0, err: `DATA_DIR is not set: working on ${data}\n` });
});

describe('with DATA_DIR', () => {
  const env = (): Record<string, string> => ({ DATA_DIR: join(folder.path, 'data') });

  test('commands that only use a database are refused where none is, and make none', async () => {
    for (const line of [
      ...['key list', 'site list', 'voucher list 1', 'webhook list', 'user list', 'controller list'],
      ...['sync', 'secret rotate', 'backup /nowhere/x', 'config export /nowhere/x --without-secrets'],
    ]) {
      const ended = await run(line.split(' '), env());
      expectOneLine(ended, `there is no database in ${folder.path}/data: set`);
      expect([line, existsSync(join(folder.path, 'data'))]).toEqual([line, false]);
    }
  });

  test.each([
    ['controller add --name Haus --kind simulated'],
    ['key create --name Buchung --scope write'],
    ['user create --name Anna --role admin --generate'],
  ])('%s needs --yes', async (line) => {
    const argv = line.split(' ');
    expectOneLine(await run(argv, env()), '--yes');
    expect(existsSync(join(folder.path, 'data'))).toBe(false);
    expect(await run([...argv, '--yes'], env())).toMatchObject({ status: 0 });
    expect(await run(argv, env())).not.toMatchObject({ err: expect.stringContaining('--yes') });
  });

  test('migrate makes it: that is what it is for', async () => {
    expect(await run(['migrate'], env())).toMatchObject({ status: 0 });
    expect(await run(createKey, env())).toMatchObject({ status: 0, err: '' });
  });

  test('an empty file is no database', async () => {
    writeFileSync(join(folder.path, 'voucherd.sqlite'), '');
    expectOneLine(await run(createKey, { DATA_DIR: folder.path }), 'there is no database');
  });

  test('doctor says that there is none, and makes none', async () => {
    const { out } = await run(['doctor', '--json'], env());
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({
        check: 'database',
        ok: false,
        message: `there is none in ${folder.path}/data`,
      }),
    );
    expect(existsSync(join(folder.path, 'data/voucherd.sqlite'))).toBe(false);
  });

  test.each([
    ['y', 0],
    ['yes', 0],
    ['n', 4],
    ['', 4],
    [undefined, 4],
  ])('at a terminal it asks: %p', async (answer, status) => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    if (answer === undefined) input.end();
    else input.write(`${answer}\n`);
    const ended = await run(createKey, env(), undefined, input);
    expect(ended.status).toBe(status);
    expect(ended.err).toContain(`there is no database in ${folder.path}/data. Create one there? [y/N] `);
    expect(existsSync(join(folder.path, 'data'))).toBe(status === 0);
  });
});
