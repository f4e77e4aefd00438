import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import {
  describeCommand,
  listCommands,
  type CommandDescription,
} from '../../scripts/documents/commandTree.js';
import { loadWholeProgram } from '../../src/main.js';
import { expectOneLine, run } from '../support/cli.js';
import { forAllTests } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';

let tree: CommandDescription;
const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  tree = describeCommand(await loadWholeProgram());
});
const voucherd = (...argv: string[]) => run(argv, { DATA_DIR: folder.path });

/** What a command can't do without: it would be missed before anything unknown is. */
const neededBy = ({ arguments: given, options }: CommandDescription): string[] => [
  ...given.filter(({ isRequired }) => isRequired).map(() => 'x'),
  ...options.filter(({ isRequired }) => isRequired).flatMap(({ long }) => [long, valueOf[long] ?? 'x']),
];

const valueOf: Readonly<Record<string, string>> = {
  '--scope': 'read',
  '--role': 'staff',
  '--kind': 'simulated',
  '--format': 'slack',
};

test('every command has help, with --json among its options, and names an unknown option in one line', async () => {
  const commands = listCommands(tree);
  expect(commands.length).toBeGreaterThan(50);
  for (const command of commands) {
    const name = command.path.join(' ');
    const help = await voucherd(...command.path, '--help');
    expect({ name, ...help }).toEqual({
      name,
      status: 0,
      err: '',
      out: expect.stringMatching(/^ +--json +\S/m),
    });
    expect(help.out).toContain(`Usage: voucherd ${name} `);
    const { status, err, out } = await voucherd(...command.path, ...neededBy(command), '--colour');
    const line = expect.stringMatching(/^voucherd: unknown option '--colour'[^\n]*\n$/);
    expect({ name, status, err, out }).toEqual({ name, status: 2, err: line, out: '' });
  }
});

test('the help of the program and of each group lists its commands', async () => {
  const groups = [tree, ...tree.commands.filter(({ commands }) => commands.length > 0)];
  expect(groups.length).toBeGreaterThan(10);
  for (const { path, commands } of groups) {
    const { status, out, err } = await voucherd(...path, '--help');
    expect({ path, status, err }).toEqual({ path, status: 0, err: '' });
    const missing = commands
      .map((command) => command.path.at(-1)!)
      .filter((name) => !out.includes(`\n  ${name} `));
    expect({ path, missing }).toEqual({ path, missing: [] });
  }
});

test('help with an unknown command says so in one line', async () => {
  for (const [argv, line] of [
    [['help', 'nope'], "unknown command 'nope'"],
    [['help', 'sreve'], "unknown command 'sreve' (Did you mean serve?)"],
    [['help', 'key', 'nope'], "unknown command 'nope'"],
    [['help', 'x'.repeat(65_536)], "unknown command 'xxx"],
  ] as const) {
    const ended = await voucherd(...argv);
    expectOneLine(ended, `voucherd: ${line}`);
    expect([line, ended.status]).toEqual([line, 2]);
  }
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

test('a command line that is wrong gives one clear line', async () => {
  for (const [words, line] of [
    ['serv', 'unknown command'],
    ['key make', 'unknown command'],
    ['key create --scope read', "required option '--name <name>' not specified"],
    ['key create --name x', "required option '--scope <scope>' not specified"],
    ['key create --name', "option '--name <name>' argument missing"],
    ['key revoke', "missing required argument 'prefix'"],
    ['key list all', 'too many arguments'],
    ['controller set --url https://x', "missing required argument 'name'"],
  ] as const)
    expectOneLine(await voucherd(...words.split(' ')), line);
});
