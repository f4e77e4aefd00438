import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { root, runScript } from '../support/built.js';
import { makeFolder } from '../support/folder.js';

const bundleFile = join(root, 'dist/program/main.cjs');

const groups = [
  ...['database', 'key', 'user', 'site', 'voucher', 'controller', 'webhook', 'secret', 'config', 'import'],
];
const single = [
  'serve',
  'mock',
  'proxy',
  'contract',
  'types',
  'migrate',
  'sync',
  'backup',
  'restore',
  'doctor',
];

const plain = [['--version'], ['--help'], ['help'], [], ['serv'], ['--colour']];
const usage = [
  ...[...groups, ...single].map((name) => [name, '--help']),
  ['help', 'key'],
  ...groups.map((name) => [name, 'unknown']),
  ...single.map((name) => [name, '--colour']),
  ['key', 'create', '--name', 'x'],
  ['controller', 'add', '--name', 'x'],
];

/** Records which modules of the bundle are run, then runs each command line and tells what was run for it. */
const script = (commandLines: readonly string[][]): string => `
  import { readFileSync } from 'node:fs';
  import { createRequire } from 'node:module';
  import { runInThisContext } from 'node:vm';
  const file = ${JSON.stringify(bundleFile)};
  let names = [];
  globalThis.noteModule = (name) => (names.push(name), name);
  // esbuild's bundle looks up the function of a module by its name, once.
  const bundle = readFileSync(file, 'latin1').replace(/__getOwnPropNames\\((?:fn|cb)\\)\\[0\\]/g, 'noteModule($&)');
  const module = { exports: {} };
  const wrapped = '(function (exports, require, module, __filename) {' + bundle + '\\n})';
  runInThisContext(wrapped)(module.exports, createRequire(file), module, file);
  const io = { env: { DATA_DIR: '/nowhere/voucherd' }, out: () => undefined, err: () => undefined };
  const runs = [];
  for (const argv of ${JSON.stringify(commandLines)}) {
    const status = await module.exports.main(argv, io);
    runs.push({ argv, status, names });
    names = [];
  }
  console.log(JSON.stringify(runs));
`;

interface Run {
  readonly argv: readonly string[];
  readonly status: number;
  readonly names: readonly string[];
}

/** Modules of ours by their path, packages by their name. */
const namesIn = ({ names }: Run): string[] => [
  ...new Set(
    names.map(
      (name) => /^\.\.\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(name)?.[1] ?? name.replace(/\.js$/, '.ts'),
    ),
  ),
];

let runs: readonly Run[];
beforeAll(async () => {
  runs = JSON.parse(await runScript(script([...plain, ...usage]))) as Run[];
});

test('--version and --help, and a command that does not exist, load no command', () => {
  const [first, ...others] = runs.slice(0, plain.length);
  expect(first).toMatchObject({ argv: ['--version'], status: 0 });
  expect(namesIn(first!).sort()).toEqual([
    'commander',
    'src/cli/errorCodes.ts',
    'src/cli/io.ts',
    'src/config/configError.ts',
    'src/errors/codedError.ts',
    'src/errors/httpProblem.ts',
    'src/errors/problem.ts',
    'src/lib/buildInfo.ts',
    'src/lib/commandLine.ts',
    'src/lib/errorCode.ts',
    'src/lib/label.ts',
    'src/lib/packageRoot.ts',
    'src/lib/publicText.ts',
    'src/lib/system.ts',
  ]);
  expect(others.map((run) => [run.argv, namesIn(run)])).toEqual(plain.slice(1).map((argv) => [argv, []]));
});

describe('the help of a command and a wrong command line', () => {
  test('load that command', () => {
    const loaded = runs.slice(0, plain.length + groups.length + single.length).flatMap(namesIn);
    for (const name of [...groups, ...single]) expect(loaded).toContain(`src/cli/${name}/${name}.ts`);
  });

  test('load no database, no controller adapter, no HTTP client and no HTTP server', () => {
    const heavy =
      /^(?:knex|pg|sqlite3|got|express|openapi-backend|cockatiel)$|^src\/(?:app|tables\/database|tables\/migrator|http\/|controllers\/(?:registry|unifi|simulated\/simulated))/;
    expect(
      runs.flatMap((run) =>
        namesIn(run)
          .filter((name) => heavy.test(name))
          .map((name) => [run.argv, name]),
      ),
    ).toEqual([]);
  });
});

test('a start loads none of the packages that only some services need', async () => {
  const folder = await makeFolder();
  const loaded = await runScript(`
    import { EventEmitter } from 'node:events';
    import { createRequire } from 'node:module';
    import { loadProgram } from './scripts/tasks/program.mjs';
    const signals = new EventEmitter();
    const env = { DATA_DIR: ${JSON.stringify(folder.path)}, PORT: '0', LOG_LEVEL: 'silent' };
    const io = { env, out: () => signals.emit('SIGTERM'), err: () => undefined };
    process.exitCode = await (await loadProgram()).main(['serve', '--json'], io, signals);
    const { cache } = createRequire(${JSON.stringify(bundleFile)});
    console.log(JSON.stringify(Object.keys(cache)));
  `);
  await folder.remove();
  const files = (JSON.parse(loaded) as string[]).map((file) => file.slice(root.length));
  expect(files).toContainEqual(expect.stringMatching(/^node_modules\/sqlite3\//));
  expect(
    files.filter((file) => /^dist\/(?!program\/main\.cjs$)|^node_modules\/(?:yaml|pg)\//.test(file)),
  ).toEqual([]);
});

test('the files of packages that are loaded on demand have what the sources import', async () => {
  const imported = {
    '@noble-ciphers-salsa.js.cjs': ['xsalsa20poly1305'],
    '@streamparser-json.cjs': ['JSONParser', 'TokenType'],
    'contractRun.cjs': ['runContract'],
    'fontkit.cjs': ['create'],
    'framework.cjs': ['HttpProblem', 'serveContract'],
    'got.cjs': ['got'],
    'iconv-lite-encodings.cjs': ['cp858'],
    'json-schema-faker.cjs': ['generateSync'],
    'mysql2-promise.cjs': ['createConnection'],
    'nodemailer-lib-mail-composer.cjs': ['a class'],
    'nodemailer-lib-shared.cjs': ['parseConnectionUrl'],
    'nodemailer-lib-smtp-connection.cjs': ['a class'],
    'openTelemetry.cjs': ['makeTracer'],
    'openid-client.cjs': [
      'authorizationCodeGrant',
      'buildAuthorizationUrl',
      'calculatePKCECodeChallenge',
      'discovery',
      'fetchUserInfo',
    ],
    'pdfkit.cjs': ['a class'],
    'pino-pretty.cjs': ['prettyFactory'],
    'tough-cookie.cjs': ['Cookie'],
  };
  const found = await runScript(`
    import { readdirSync } from 'node:fs';
    import { createRequire } from 'node:module';
    const require = createRequire(${JSON.stringify(bundleFile)});
    const files = readdirSync('dist/program').filter((file) => /^(?!main|usage).*cjs$/.test(file)).sort();
    const namesIn = (exported) => [...Object.keys(exported), ...(typeof exported === 'function' ? ['a class'] : [])];
    console.log(JSON.stringify(files.map((file) => [file, namesIn(require('./' + file))])));
  `);
  const exported = new Map(JSON.parse(found) as [string, string[]][]);
  expect([...exported.keys()]).toEqual(Object.keys(imported));
  for (const [file, names] of Object.entries(imported))
    expect(exported.get(file)).toEqual(expect.arrayContaining(names));
});
