import { mkdir } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { simulatedFile } from '../../../src/controllers/simulated/simulated.js';
import { expectOneLine, program, run } from '../../support/cli.js';
import { putSqliteDatabase } from '../../support/databases.js';
import { forAllTests } from '../../support/fixture.js';
import { makeFolder } from '../../support/folder.js';

const voucherd = (...argv: string[]) => run(argv, { DATA_DIR: folder.path });
const add = (name: string, ...options: string[]) =>
  voucherd('controller', 'add', '--name', name, '--kind', 'simulated', ...options);
const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  await putSqliteDatabase(folder.path);
});

describe('controller list, while there is none', () => {
  test('says what to do on standard error', async () => {
    const { status, out, err } = await voucherd('controller', 'list');
    expect([status, out]).toEqual([0, '']);
    expect(err).toBe(
      `no controllers yet: ${program} controller add --name N --kind K; the kind simulated needs no hardware\n`,
    );
  });
  test('with --json prints an empty list', async () => {
    expect(await voucherd('controller', 'list', '--json')).toEqual({ status: 0, out: '[]\n', err: '' });
  });
});

describe('controller add', () => {
  test('prints the name, which `site add` takes, and says what to do next', async () => {
    expect(await add(' Konsole Nord ')).toEqual({
      status: 0,
      out: 'Konsole Nord\n',
      err: `try it, and see its sites: ${program} controller test "Konsole Nord"\n`,
    });
    const site = await voucherd('site', 'add', '--name', 'x', '--controller', 'Konsole Nord');
    expect(site.status).toBe(0);
  });

  test('with --json prints id, name and kind', async () => {
    const { out, err } = await add('Konsole', '--latency-ms', '5', '--fault', 'refuse', '--json');
    expect(JSON.parse(out)).toEqual({ id: expect.any(Number), name: 'Konsole', kind: 'simulated' });
    expect(err).toBe('');
  });

  test('of a kind without credentials needs no key that seals', async () => {
    expect((await run(['secret', 'rotate', '--json'], { DATA_DIR: folder.path })).out).toContain(
      '"resealed":0',
    );
  });

  test('a kind that does not exist gives one clear line that names those there are', async () => {
    expectOneLine(
      await voucherd('controller', 'add', '--name', 'x', '--kind', 'toaster'),
      /^voucherd: --kind: "toaster" is not allowed: one of simulated, unifi, unifi-classic/,
    );
  });

  test('a fault that does not exist gives one clear line that names those there are', async () => {
    expectOneLine(
      await add('x', '--fault', 'explode'),
      'voucherd: --fault: explode is not allowed: one of none, refuse, no-voucher, no-code, no-id, disconnect, lost-answer',
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
  test('shows name, kind, address, trust and the sites that are tied to it', async () => {
    await voucherd(
      'site',
      'add',
      '--name',
      'Garten',
      '--controller',
      'Konsole Nord',
      '--controller-site',
      'b',
    );
    await voucherd('site', 'deactivate', '2');
    const { status, out, err } = await voucherd('controller', 'list');
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^name +kind +address +trust +sites$/m);
    expect(out).toMatch(/^Konsole Nord +simulated +- +- +1 x, 2 Garten \(inactive\)$/m);
    expect(out).toMatch(/^Konsole +simulated +- +- +-$/m);
  });

  test('with --json shows every field', async () => {
    const listed = JSON.parse((await voucherd('controller', 'list', '--json')).out) as unknown[];
    expect(listed).toContainEqual({
      id: expect.any(Number),
      name: 'Konsole',
      kind: 'simulated',
      address: null,
      trust: null,
      settings: { latencyMs: 5, fault: 'refuse' },
      sites: [],
    });
    expect(listed).toContainEqual(
      expect.objectContaining({
        name: 'Konsole Nord',
        sites: [
          { id: 1, name: 'x', active: true, controllerSite: null },
          { id: 2, name: 'Garten', active: false, controllerSite: 'b' },
        ],
      }),
    );
  });
});

describe('controller test of one without hardware', () => {
  test('tells of each step', async () => {
    expect(await voucherd('controller', 'test', 'Konsole')).toEqual({
      status: 0,
      out: [
        'ok    settings        valid',
        'ok    sign-in         accepted',
        'ok    version         simulated',
        'ok    sites           1, to be added with:',
        `                      ${program} site add --name "Default" --controller "Konsole" --controller-site default`,
        'skip  vouchers        --create creates one and revokes it at once',
        '',
      ].join('\n'),
      err: '',
    });
  });

  test('with --create makes a voucher and revokes it', async () => {
    expect((await voucherd('controller', 'test', 'Konsole Nord', '--create')).out).toMatch(
      /^ok {4}vouchers {8}created one on its only or default site, and revoked it$/m,
    );
  });

  test.each([
    ['refuse', 'it said no'],
    ['no-voucher', 'it created a voucher, or may have, without saying which'],
    ['no-id', 'it created a voucher, or may have, without saying which'],
    ['no-code', 'its answer can not be read: it created a voucher without a code'],
    ['disconnect', 'it was asked for a voucher, and it is not known whether it created one'],
    ['lost-answer', 'it was asked for a voucher, and it is not known whether it created one'],
  ])('with --create and the fault %s fails', async (fault, message) => {
    await add(fault, '--fault', fault);
    // The one fault that its deadline ends.
    const deadline = fault === 'lost-answer' ? { CONTROLLER_DEADLINE_S: '1' } : {};
    const { status, out, err } = await run(['controller', 'test', fault, '--create'], {
      DATA_DIR: folder.path,
      ...deadline,
    });
    expect(status).toBe(1);
    expect(out).toContain(`FAIL  vouchers        ${message}\n`);
    expect(err).toBe(`voucherd: ${fault}: vouchers failed: ${message}\n`);
  });

  test('a name that nobody has gives one clear line', async () => {
    for (const command of ['set', 'test', 'pin', 'credentials', 'remove'])
      expectOneLine(
        await voucherd('controller', command, 'Toaster'),
        `voucherd: there is no controller named "Toaster": see ${program} controller list`,
      );
  });

  test('a controller that does not answer ends with one clear line', async () => {
    const { id } = JSON.parse((await add('Kaputt', '--json')).out) as { id: number };
    await mkdir(simulatedFile(folder.path, id));
    const { status, out, err } = await voucherd('controller', 'test', 'Kaputt');
    expect(status).toBe(1);
    expect(out).toMatch(/^FAIL {2}sign-in {9}SQLITE_CANTOPEN.*\n +→ /m);
    expect(err).toMatch(/^voucherd: Kaputt: sign-in failed: SQLITE_CANTOPEN[^\n]*\n$/);
  });
});

describe('what needs an address', () => {
  test('is refused for a controller without one', async () => {
    expectOneLine(
      await voucherd('controller', 'pin', 'Konsole'),
      'voucherd: Konsole is of the kind simulated, which shows no certificate',
    );
    expectOneLine(
      await voucherd('controller', 'credentials', 'Konsole'),
      'voucherd: Konsole is of the kind simulated, which needs no credentials',
    );
  });
});

describe('controller remove', () => {
  const names = async () =>
    (JSON.parse((await voucherd('controller', 'list', '--json')).out) as { name: string }[]).map(
      ({ name }) => name,
    );
  const addSite = async (controller: string, name: string) =>
    (
      await voucherd('site', 'add', '--name', name, '--controller', controller, '--controller-site', name)
    ).out.trim();

  test('of one that no site refers to', async () => {
    await add('Frei');
    expect(await voucherd('controller', 'remove', ' Frei ')).toEqual({
      status: 0,
      out: 'removed Frei\n',
      err: '',
    });
    expect(await names()).not.toContain('Frei');
  });

  test('with --json prints what was removed, and the sites that stay', async () => {
    await add('Frei');
    const { out } = await voucherd('controller', 'remove', 'Frei', '--json');
    expect(JSON.parse(out)).toEqual({
      id: expect.any(Number),
      name: 'Frei',
      removed: true,
      sites: [],
      givenUp: 0,
    });
  });

  test('is refused while sites are active, and says how to deactivate them', async () => {
    await add('Belegt');
    const [one, two] = [await addSite('Belegt', 'Haus'), await addSite('Belegt', 'Hof')];
    expectOneLine(
      await voucherd('controller', 'remove', 'Belegt'),
      `voucherd: Belegt is needed by active sites: ${one} "Haus", ${two} "Hof"; first: ${program} site deactivate ${one} && ${program} site deactivate ${two}\n`,
    );
    expect(await names()).toContain('Belegt');
  });

  test('of one whose sites are inactive leaves the sites, and its name is free again', async () => {
    await add('Alt');
    const id = await addSite('Alt', 'Turm');
    await voucherd('site', 'deactivate', id);
    expect((await voucherd('controller', 'remove', 'Alt')).out).toBe(
      `removed Alt; the vouchers of its inactive sites stay in the records: ${id} Turm (inactive)\n`,
    );
    expect(await names()).not.toContain('Alt');
    expect((await voucherd('site', 'list')).out).toMatch(
      new RegExp(`^${id} +Turm +inactive +Alt \\(removed\\) +Turm$`, 'm'),
    );
    expect((await add('Alt')).status).toBe(0);
    expect((await voucherd('site', 'list')).out).toContain('Alt (removed)');
  });
});
