import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { simulatedFile } from '../../src/controllers/simulated/simulated.js';
import { expectOneLine, run } from '../support/cli.js';
import { makeFolder, type TestFolder } from '../support/folder.js';

let folder: TestFolder;
const voucherd = (...argv: string[]) => run(argv, { DATA_DIR: folder.path });
const add = (name: string, ...options: string[]) =>
  voucherd('controller', 'add', '--name', name, '--kind', 'simulated', ...options);
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

describe('controller list, while there is none', () => {
  test('says what to do on standard error', async () => {
    const { status, out, err } = await voucherd('controller', 'list');
    expect([status, out]).toEqual([0, '']);
    expect(err).toBe('no controllers yet: voucherd controller add --name N --kind simulated\n');
  });
  test('with --json prints an empty list', async () => {
    expect(await voucherd('controller', 'list', '--json')).toEqual({ status: 0, out: '[]\n', err: '' });
  });
});

describe('controller add', () => {
  test('prints the name, which `site add` takes', async () => {
    expect(await add(' Konsole Nord ')).toEqual({ status: 0, out: 'Konsole Nord\n', err: '' });
    const site = await voucherd('site', 'add', '--name', 'x', '--controller', 'Konsole Nord');
    expect(site.status).toBe(0);
  });

  test('with --json prints id, name and kind', async () => {
    const { out } = await add('Konsole', '--latency-ms', '5', '--fault', 'refuse', '--json');
    expect(JSON.parse(out)).toEqual({ id: expect.any(Number), name: 'Konsole', kind: 'simulated' });
  });

  test('a name that is taken gives one clear line', async () => {
    await add('Zwilling');
    expectOneLine(await add('Zwilling'), 'voucherd: --name: there is already a controller named "Zwilling"');
  });

  test('a kind that does not exist gives one clear line that names those there are', async () => {
    expectOneLine(
      await voucherd('controller', 'add', '--name', 'x', '--kind', 'toaster'),
      /^voucherd: kind: toaster is not allowed: one of .*simulated/,
    );
  });

  test('a fault that does not exist gives one clear line that names those there are', async () => {
    expectOneLine(
      await add('x', '--fault', 'explode'),
      'voucherd: fault: explode is not allowed: one of none, refuse, no-voucher, no-code, lost-answer',
    );
  });

  test('a latency that is no number of milliseconds gives one clear line', async () => {
    expectOneLine(
      await add('x', '--latency-ms', 'long'),
      'voucherd: --latency-ms: "long" is not allowed: a whole number from 0 to 600000',
    );
  });
});

describe('controller list', () => {
  test('shows id, name, kind and settings', async () => {
    const { status, out, err } = await voucherd('controller', 'list');
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^\d+ +Konsole +simulated +\{"latencyMs":5,"fault":"refuse"\}$/m);
  });

  test('with --json shows every field', async () => {
    expect(JSON.parse((await voucherd('controller', 'list', '--json')).out)).toContainEqual({
      id: expect.any(Number),
      name: 'Konsole',
      kind: 'simulated',
      settings: { latencyMs: 5, fault: 'refuse' },
    });
  });
});

describe('controller test', () => {
  test('tells version and sites', async () => {
    expect(await voucherd('controller', 'test', 'Konsole')).toEqual({
      status: 0,
      out: 'Konsole answers, version simulated\n  site default  Default\n',
      err: '',
    });
  });

  test('with --json tells the same', async () => {
    expect(JSON.parse((await voucherd('controller', 'test', 'Konsole', '--json')).out)).toEqual({
      name: 'Konsole',
      version: 'simulated',
      sites: [{ id: 'default', name: 'Default' }],
    });
  });

  test('a name that nobody has gives one clear line', async () => {
    expectOneLine(
      await voucherd('controller', 'test', 'Toaster'),
      'voucherd: there is no controller named "Toaster": see voucherd controller list',
    );
  });

  test('a controller that does not answer gives one clear line', async () => {
    const { id } = JSON.parse((await add('Kaputt', '--json')).out) as { id: number };
    await mkdir(simulatedFile(folder.path, id));
    expectOneLine(await voucherd('controller', 'test', 'Kaputt'), /^voucherd: Kaputt does not answer: /);
  });
});
