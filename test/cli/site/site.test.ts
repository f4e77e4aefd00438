import { beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../../src/database/database.js';
import { makeTables } from '../../../src/app/tables.js';
import { expectOneLine, program, run } from '../../support/cli.js';
import { putSqliteDatabase } from '../../support/databases.js';
import { forAllTests } from '../../support/fixture.js';
import { makeFolder } from '../../support/folder.js';

const voucherd = (...argv: string[]) => run(argv, { DATA_DIR: folder.path });
let added = 0;
/** On a site of the controller that no other uses. */
const addSite = (name: string, ...options: string[]) =>
  voucherd(
    ...['site', 'add', '--name', name, '--controller', 'Konsole'],
    ...['--controller-site', `site-${String(added++)}`, ...options],
  );
const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  await putSqliteDatabase(folder.path);
  await voucherd('controller', 'add', '--name', 'Konsole', '--kind', 'simulated');
});

describe('site list, while there is none', () => {
  test('says what to do on standard error', async () => {
    const { status, out, err } = await voucherd('site', 'list');
    expect([status, out]).toEqual([0, '']);
    expect(err).toBe(`no sites yet: ${program} site add --name N --controller C\n`);
  });
  test('with --json prints an empty list', async () => {
    expect(await voucherd('site', 'list', '--json')).toEqual({ status: 0, out: '[]\n', err: '' });
  });
});

describe('site add', () => {
  test('prints the id, alone, on stdout', async () => {
    const { status, out, err } = await addSite('Hauptgebäude');
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^[1-9]\d*\n$/);
  });

  test('with --json prints id and name', async () => {
    const { out } = await addSite('  Gästehaus ', '--controller-site', 'north', '--json');
    expect(JSON.parse(out)).toEqual({ id: expect.any(Number), name: 'Gästehaus' });
  });

  test('a controller that does not exist gives one clear line, and no site', async () => {
    const before = (await voucherd('site', 'list', '--json')).out;
    expectOneLine(
      await voucherd('site', 'add', '--name', 'x', '--controller', 'Toaster'),
      `voucherd: --controller: no controller is named "Toaster": see ${program} controller list`,
    );
    expect((await voucherd('site', 'list', '--json')).out).toBe(before);
  });

  test('a site of the controller that another uses already is refused', async () => {
    await addSite('Anbau', '--controller-site', 'middle');
    const { status, out, err } = await addSite('Anbau Mitte', '--controller-site', 'middle');
    expect([status, out]).toEqual([5, '']);
    const [says, command = '', ...rest] = err.split('\n');
    expect(says).toBe(
      'voucherd: a site uses the site "middle" of this controller already; a simulated controller takes any other name as --controller-site:',
    );
    expect(command).toMatch(
      /^ {2}\S.* site add --name "Anbau Mitte" --controller "\w+" --controller-site site-\d+$/,
    );
    expect(rest).toEqual(['']);
    const [, free = ''] = /--controller-site (\S+)$/.exec(command) ?? [];
    expect((await addSite('Anbau Mitte', '--controller-site', free)).status).toBe(0);
  });
});

describe('site list', () => {
  test('shows id, name, state and controller, inactive sites too', async () => {
    const id = (await addSite('Nebengebäude', '--controller-site', 'south')).out.trim();
    await voucherd('site', 'deactivate', id);
    const { out } = await voucherd('site', 'list');
    expect(out.split('\n')[0]).toBe(out.split('\n')[0]?.trimEnd());
    expect(out).toMatch(new RegExp(`^${id} +Nebengebäude +inactive +Konsole +south$`, 'm'));
    expect(out).toMatch(/ Hauptgebäude +active +Konsole +site-0$/m);
  });

  test('with --json shows every field', async () => {
    const sites = JSON.parse((await voucherd('site', 'list', '--json')).out) as unknown[];
    expect(sites).toContainEqual({
      id: expect.any(Number),
      name: 'Gästehaus',
      active: true,
      controller: 'Konsole',
      controllerSite: 'north',
    });
  });
});

describe('site rename', () => {
  test('gives a site another name, and leaves the rest', async () => {
    const id = (await addSite('Turm', '--controller-site', 'west')).out.trim();
    expect(await voucherd('site', 'rename', id, ' Alter Turm ')).toEqual({
      status: 0,
      out: `site ${id} is named Alter Turm\n`,
      err: '',
    });
    const sites = JSON.parse((await voucherd('site', 'list', '--json')).out) as { id: number }[];
    expect(sites.find((site) => String(site.id) === id)).toEqual({
      id: Number(id),
      name: 'Alter Turm',
      active: true,
      controller: 'Konsole',
      controllerSite: 'west',
    });
    const { out } = await voucherd('site', 'rename', id, 'Turm', '--json');
    expect(JSON.parse(out)).toEqual({ id: Number(id), name: 'Turm' });
  });

  test.each([
    [['2147483647', 'x'], `voucherd: there is no site 2147483647: see ${program} site list\n`],
    [['x', 'x'], 'voucherd: id: "x" is not allowed: a whole number from 1 to 2147483647\n'],
    [['1', ' '], 'voucherd: name: " " is not allowed: 1 to 255 characters\n'],
  ])('%j gives one clear line', async (argv, line) => {
    expectOneLine(await voucherd('site', 'rename', ...argv), line);
  });
});

describe('two active sites with one name', () => {
  const warning = (name: string, first: string, second: string, last = second) =>
    `warning: 2 active sites are named "${name}": ${first}, ${second}; to tell them apart: ${program} site rename ${last} NAME\n`;

  test('are warned of when one is added, activated or renamed', async () => {
    const first = (await addSite('Zwilling')).out.trim();
    const added = await addSite('Zwilling', '--json');
    const { id } = JSON.parse(added.out) as { id: number };
    const second = String(id);
    expect(added).toMatchObject({ status: 0, err: warning('Zwilling', first, second) });
    expect((await voucherd('site', 'deactivate', first)).err).toBe('');
    expect((await voucherd('site', 'activate', first)).err).toBe(warning('Zwilling', first, second, first));
    expect((await voucherd('site', 'rename', first, 'Drilling')).err).toBe('');
    expect((await voucherd('site', 'rename', first, 'Zwilling')).err).toBe(
      warning('Zwilling', first, second, first),
    );
  });

  test('are not, while one of them is inactive', async () => {
    const first = (await addSite('Speicher')).out.trim();
    await voucherd('site', 'deactivate', first);
    expect((await addSite('Speicher')).err).toBe('');
    expect((await voucherd('site', 'rename', first, 'Speicher')).err).toBe('');
  });
});

describe.each([
  ['activate', true, 'active'],
  ['deactivate', false, 'inactive'],
])('site %s', (command, active, state) => {
  test('says what the site is now', async () => {
    const id = (await addSite(`Garten zum ${command}`)).out.trim();
    expect(await voucherd('site', command, id)).toEqual({
      status: 0,
      out: `site ${id} is ${state}\n`,
      err: '',
    });
    const sites = JSON.parse((await voucherd('site', 'list', '--json')).out) as unknown[];
    expect(sites).toContainEqual(expect.objectContaining({ id: Number(id), active }));
  });

  test('with --json prints id and state', async () => {
    const id = (await addSite('Garten')).out.trim();
    const { out } = await voucherd('site', command, id, '--json');
    expect(JSON.parse(out)).toEqual({ id: Number(id), active });
  });

  test('a site that does not exist gives one clear line', async () => {
    expectOneLine(
      await voucherd('site', command, '2147483647'),
      `voucherd: there is no site 2147483647: see ${program} site list`,
    );
  });

  test.each(['0', 'one', '2147483648'])('an id of "%s" is refused', async (id) => {
    expectOneLine(
      await voucherd('site', command, id),
      `voucherd: id: "${id}" is not allowed: a whole number from 1 to 2147483647`,
    );
  });
});

test('what commands do to sites is in the audit log', async () => {
  const id = (await addSite('Protokoll')).out.trim();
  await voucherd('site', 'rename', id, 'Umbenannt');
  await voucherd('site', 'deactivate', id);
  const database = openDatabase(`sqlite:${folder.path}/voucherd.sqlite`);
  const entries = await makeTables(database).auditLog.newest({ subjectId: id }, undefined, 3);
  await database.close();
  const byCommand = { actorKind: 'command line', subjectKind: 'site', subjectId: id };
  expect(entries).toMatchObject([
    { ...byCommand, action: 'site.change', subjectName: 'Umbenannt', detail: { active: false } },
    { ...byCommand, action: 'site.change', subjectName: 'Umbenannt', detail: { name: 'Umbenannt' } },
    { ...byCommand, action: 'site.add', subjectName: 'Protokoll', detail: { controller: 'Konsole' } },
  ]);
});
