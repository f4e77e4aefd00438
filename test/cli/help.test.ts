import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectOneLine, run } from '../support/cli.js';
import { makeFolder, type TestFolder } from '../support/folder.js';

let folder: TestFolder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());
const voucherd = (...argv: string[]) => run(argv, { DATA_DIR: folder.path });

const commands = [
  'serve',
  'mock',
  'proxy',
  'contract',
  'types',
  'migrate',
  'database copy',
  'database compare',
  'key create',
  'key list',
  'key revoke',
  'user create',
  'user list',
  'user change',
  'user role',
  'user disable',
  'user enable',
  'user reset-password',
  'user reset-second-factor',
  'user reset-single-sign-on',
  'user sites',
  'controller add',
  'controller set',
  'controller list',
  'controller test',
  'controller pin',
  'controller credentials',
  'controller remove',
  'site add',
  'site list',
  'site activate',
  'site deactivate',
  'site rename',
  'voucher list',
  'voucher revoke',
  'sync',
  'webhook add',
  'webhook list',
  'webhook enable',
  'webhook disable',
  'webhook controllers',
  'webhook rename',
  'webhook remove',
  'webhook rotate-secret',
  'webhook test',
  'webhook deliveries',
  'webhook resend',
  'secret rotate',
  'backup',
  'restore',
  'retention run',
  'config export',
  'config import',
  'import php-tool',
  'doctor',
  'completion',
];

/** What a command can not do without: it would be missed before anything unknown is. */
const needed: Partial<Record<string, string[]>> = {
  proxy: ['http://x'],
  contract: ['--contract', 'x'],
  types: ['x', '--out', 'x'],
  backup: ['x'],
  restore: ['x'],
  completion: ['bash'],
  'config export': ['x'],
  'config import': ['x'],
  'key create': ['--name', 'x', '--scope', 'read'],
  'user create': ['--name', 'x', '--role', 'staff'],
  'user change': ['x'],
  'controller add': ['--name', 'x', '--kind', 'simulated'],
  'site add': ['--name', 'x', '--controller', 'x'],
  'webhook add': ['--name', 'x', '--format', 'slack'],
};

describe.each(commands)('every command takes --help and --json: %s', (command) => {
  test('--help says what it does and what it takes', async () => {
    const { status, out, err } = await voucherd(...command.split(' '), '--help');
    expect([status, err]).toEqual([0, '']);
    expect(out).toContain(`Usage: voucherd ${command} `);
    expect(out).toMatch(/^ +--json +\S/m);
  });

  test('an unknown option gives one clear line', async () => {
    expectOneLine(
      await voucherd(...command.split(' '), ...(needed[command] ?? []), '--colour'),
      "unknown option '--colour'",
    );
  });
});

test.each([
  [],
  ['database'],
  ['key'],
  ['user'],
  ['site'],
  ['voucher'],
  ['controller'],
  ['webhook'],
  ['secret'],
  ['retention'],
  ['config'],
  ['import'],
])('voucherd %s --help lists its commands', async (...group) => {
  const { status, out, err } = await voucherd(...group, '--help');
  expect([status, err]).toEqual([0, '']);
  const prefix = group.length > 0 ? `${group.join(' ')} ` : '';
  for (const command of commands.filter((name) => name.startsWith(prefix)))
    expect(out).toContain(` ${command.slice(prefix.length).split(' ')[0] ?? ''} `);
});

test('every command there is is tested here', async () => {
  const namesIn = async (...group: string[]) =>
    [
      ...(await voucherd(...group, '--help')).out.matchAll(
        /^ {2}([a-z-]+)(?: \[options\])?(?: [<[].*?[>\]])* {2,}\S/gm,
      ),
    ]
      .map(([, name]) => name ?? '')
      .filter((name) => name !== 'help');
  const names: string[] = [];
  for (const name of await namesIn()) {
    const inside = /^Commands:$/m.test((await voucherd(name, '--help')).out) ? await namesIn(name) : [];
    names.push(...(inside.length > 0 ? inside.map((command) => `${name} ${command}`) : [name]));
  }
  expect(names.sort()).toEqual([...commands].sort());
});

test.each([
  [['help', 'nope'], "unknown command 'nope'"],
  [['help', 'sreve'], "unknown command 'sreve' (Did you mean serve?)"],
  [['help', 'key', 'nope'], "unknown command 'nope'"],
  [['help', 'x'.repeat(65_536)], "unknown command 'xxx"],
])('%s says that there is no such command', async (argv, line) => {
  const { status, out, err } = await voucherd(...argv);
  expect([status, out]).toEqual([2, '']);
  expect(err).toContain(`voucherd: ${line}`);
  expect(err).toMatch(/^[^\n]+\n$/);
});

test('help and help with a command show help, and are a success', async () => {
  expect(await voucherd('help')).toMatchObject({
    status: 0,
    out: expect.stringContaining('Usage: voucherd [options]'),
  });
  expect(await voucherd('help', 'key', 'create')).toMatchObject({
    status: 0,
    out: expect.stringContaining('Usage: voucherd key create'),
  });
});

test('--version prints version, commit and date', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const { commit, date } = JSON.parse(await readFile('dist/build.json', 'utf8')) as Record<string, string>;
  const { status, out, err } = await voucherd('--version');
  const details = [commit && `${commit.slice(0, 7)}${commit.slice(40)}`, date?.slice(0, 10)].filter(Boolean);
  expect({ status, out, err }).toEqual({ status: 0, out: `${version} (${details.join(', ')})\n`, err: '' });
  // Not a copy of it, which the next release would leave behind.
  expect(await readFile('src/main.ts', 'utf8')).not.toContain(version);
  for (const argv of [
    ['--version', '--json'],
    ['--json', '-V'],
  ])
    expect(JSON.parse((await voucherd(...argv)).out)).toEqual({
      ...{ version, commit: commit ?? null, date, node: process.versions.node },
    });
});

test.each([
  [['serv'], 'unknown command'],
  [['key', 'make'], 'unknown command'],
  [['key', 'create', '--scope', 'read'], "required option '--name <name>' not specified"],
  [['key', 'create', '--name', 'x'], "required option '--scope <scope>' not specified"],
  [['key', 'create', '--name'], "option '--name <name>' argument missing"],
  [['key', 'revoke'], "missing required argument 'prefix'"],
  [['key', 'list', 'all'], 'too many arguments'],
  [['site', 'add', '--name', 'x'], "required option '--controller <name>' not specified"],
  [['site', 'activate'], "missing required argument 'id'"],
  [['controller', 'add', '--name', 'x'], "required option '--kind <kind>' not specified"],
  [['controller', 'set', '--url', 'https://x'], "missing required argument 'name'"],
  [['controller', 'test'], "missing required argument 'name'"],
])('a command line that is wrong gives one clear line: %j', async (argv, line) => {
  expectOneLine(await voucherd(...argv), line);
});
