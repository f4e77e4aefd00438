import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { nodeFlags } from '../../scripts/tasks/program.mjs';
import { root, runScript } from '../support/built.js';
import { startProgram } from '../support/cli.js';
import { makeConsoleCliFixture, type ConsoleCliFixture } from '../support/consoleCliFixture.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { goodPassword } from '../support/authFixture.js';

let cli: ConsoleCliFixture;
let folder: TestFolder;
beforeAll(async () => {
  cli = await makeConsoleCliFixture({}, { USER_PASSWORD: goodPassword });
  await cli.add('Zentrale', 'unifi');
  folder = await makeFolder();
});
afterAll(async () => {
  await cli.remove();
  await folder.remove();
});

const runBuilt = (...argv: string[]) => startProgram(argv, cli.env).ended;

/** In this order: each finds what those before it have made. */
const commandLines = [
  ['migrate'],
  ['user', 'create', '--name', 'Anna', '--role', 'admin', '--password-env', 'USER_PASSWORD'],
  ['key', 'create', '--name', 'Kasse', '--scope', 'write'],
  ['controller', 'test', 'Zentrale'],
  ['site', 'add', '--name', 'Halle', '--controller', 'Zentrale'],
  ['webhook', 'list'],
  ['voucher', 'list', '1'],
  ['sync'],
  ['database', 'copy', '--to', 'FOLDER/copy.sqlite'],
  ['secret', 'rotate'],
  ['backup', 'FOLDER/built.backup'],
  ['restore', 'FOLDER/built.backup', '--data-dir', 'FOLDER/restored'],
  ['retention', 'run', '--dry-run'],
  ['completion', 'bash'],
  ['types', 'openapi.yaml', '--out', 'FOLDER/contract.ts'],
  ['config', 'export', 'FOLDER/built.yaml', '--pass-phrase-env', 'USER_PASSWORD'],
  ['config', 'import', 'FOLDER/built.yaml', '--pass-phrase-env', 'USER_PASSWORD'],
];

test.each(commandLines.map((argv) => ({ line: argv.join(' '), argv })))(
  'voucherd $line, as it is built',
  async ({ argv }) => {
    // What is bundled is not loaded as Node loads it, so each command has to run once.
    const { status, err } = await runBuilt(...argv.map((word) => word.replace('FOLDER', folder.path)));
    expect({ status, err }).toEqual({ status: 0, err: expect.not.stringMatching(/^voucherd: /) });
  },
);

test('voucherd import php-tool, as it is built, reads a dump', async () => {
  const folder = await makeFolder();
  const dump = join(folder.path, 'tool.sql');
  await writeFile(dump, 'CREATE TABLE `sites` (`id` int, `name` varchar(255));');
  const { status, out } = await runBuilt('import', 'php-tool', '--dump', dump, '--dry-run');
  await folder.remove();
  expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining('0 would be added') });
});

test('voucherd import php-tool, as it is built, has the driver of the database', async () => {
  const from = ['--from', 'mysql://tool@127.0.0.1:1/tool', '--password-env', 'USER_PASSWORD'];
  const { status, err } = await runBuilt('import', 'php-tool', ...from, '--dry-run');
  expect({ status, err }).toEqual({ status: 6, err: expect.stringContaining('ECONNREFUSED') });
});

test('all commands that end by themselves are among them', async () => {
  const { out } = await runBuilt('--help');
  const all = [...out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  const run = new Set(commandLines.map(([name]) => name));
  expect(all.filter((name) => !run.has(name ?? ''))).toEqual([
    'serve',
    'mock',
    'proxy',
    'contract',
    'import',
    'doctor',
    'help',
  ]);
});

test('voucherd doctor, as it is built, says what is wrong', async () => {
  // No service runs.
  const { status, out } = await runBuilt('doctor');
  expect(status).toBe(1);
  expect(out).toContain('Zentrale');
});

test.each([
  ['zeros', (code: Buffer) => code.fill(0, code.length >> 1)],
  ['other bits', (code: Buffer) => code.map((byte, index) => (index % 997 === 0 ? byte ^ 1 : byte))],
])('compiled code that was damaged (%s) is not used', async (_, damage) => {
  const folder = await makeFolder();
  const [scripts, dist] = ['scripts/tasks', 'dist/program'].map((part) => join(folder.path, part));
  for (const part of ['scripts/tasks', 'dist/program'])
    await cp(join(root, part), join(folder.path, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  const cache = (await readdir(dist!)).find((name) => name.endsWith('.cache'))!;
  await writeFile(join(dist!, cache), damage(await readFile(join(dist!, cache))));
  const program = JSON.stringify(pathToFileURL(join(scripts!, 'program.mjs')).href);
  const output = await runScript(`
    import { loadBundle } from ${program};
    console.log(loadBundle().script.cachedDataRejected);
  `);
  await folder.remove();
  expect(output.trim()).toBe('undefined');
});

test('V8 takes the compiled code that the build has stored', async () => {
  const program = JSON.stringify(pathToFileURL(join(root, 'scripts/tasks/program.mjs')).href);
  const script = `
    import { loadBundle } from ${program};
    console.log(loadBundle().script.cachedDataRejected);
  `;
  const output = await runScript(script, {}, nodeFlags);
  expect(output.trim()).toBe('false');
});
