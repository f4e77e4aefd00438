import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  isLockOf,
  planFor,
  programIn,
  type LockedPackages,
  type Plan,
} from '../../scripts/tasks/packages.mjs';
import { childEnv, root } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { until } from '../support/until.js';

const rootPackage = {
  workspaces: ['tools'],
  dependencies: { sqlite3: '^6' },
  devDependencies: { typescript: '5' },
};
const toolsPackage = { devDependencies: { jest: '^30' } };

/** As npm writes it: everything at the top, unless two versions are needed. */
const lock: LockedPackages = {
  '': rootPackage,
  'node_modules/bindings': { integrity: 'bindings 2' },
  'node_modules/fsevents': { integrity: 'fsevents 2', optional: true },
  'node_modules/jest': { integrity: 'jest 30', dev: true, dependencies: { bindings: '2' } },
  'node_modules/sqlite3': {
    integrity: 'sqlite3 6',
    dependencies: { bindings: '1' },
    optionalDependencies: { fsevents: '2' },
    peerDependencies: { jest: '*' },
    peerDependenciesMeta: { jest: { optional: true } },
  },
  'node_modules/sqlite3/node_modules/bindings': { integrity: 'bindings 1' },
  'node_modules/typescript': { integrity: 'typescript 5', dev: true },
  'node_modules/voucherd-tools': { link: true },
  tools: toolsPackage,
};

const without = (...paths: string[]): LockedPackages =>
  Object.fromEntries(Object.entries(lock).filter(([path]) => path !== '' && !paths.includes(path)));

const other = { integrity: 'another one' };
const everything = without('node_modules/fsevents');
const toolPaths = ['node_modules/bindings', 'node_modules/jest', 'node_modules/voucherd-tools', 'tools'];
const program = without('node_modules/fsevents', ...toolPaths);

test('the program has what its own packages need, each in the version that Node finds there', () => {
  expect([...programIn(lock)].sort()).toEqual([
    'node_modules/fsevents',
    'node_modules/sqlite3',
    'node_modules/sqlite3/node_modules/bindings',
    'node_modules/typescript',
  ]);
});

describe('what npm has to do', () => {
  const howFor = (
    installed: LockedPackages | undefined,
    tools: boolean,
    lockFits = true,
  ): Plan['how'] | undefined => planFor({ wanted: lock, installed, tools, lockFits })?.how;

  test.each<[string, LockedPackages | undefined, Plan['how'] | undefined, Plan['how'] | undefined]>([
    ['nothing, or an installation that was not finished', undefined, 'program', 'everything'],
    ['the program', program, undefined, 'addition'],
    ['everything', everything, undefined, undefined],
    [
      'the program, with a stale package',
      { ...program, 'node_modules/sqlite3': other },
      'program',
      'everything',
    ],
    [
      'everything, with a stale package of the program',
      { ...everything, 'node_modules/sqlite3': other },
      'everything',
      'everything',
    ],
    ['everything, with a stale tool', { ...everything, 'node_modules/jest': other }, undefined, 'addition'],
    ['everything but the compiler', without('node_modules/typescript'), 'everything', 'everything'],
    [
      'everything, with a stale optional package',
      { ...everything, 'node_modules/fsevents': other },
      'everything',
      'everything',
    ],
    [
      'no development packages, but the link to the tools',
      without('node_modules/typescript', 'node_modules/jest'),
      'program',
      'everything',
    ],
  ])('with %s installed', (_name, installed, forProgram, forTools) => {
    expect([howFor(installed, false), howFor(installed, true)]).toEqual([forProgram, forTools]);
  });

  test('with a lock file that does not fit nothing is added: npm ci says what is wrong', () => {
    expect([howFor(program, false, false), howFor(program, true, false)]).toEqual([undefined, 'everything']);
  });
});

test.each([
  ['the ones it was written for', rootPackage, toolsPackage, true],
  ['another root', { ...rootPackage, dependencies: { sqlite3: '^7' } }, toolsPackage, false],
  ['other tools', rootPackage, { devDependencies: { jest: '^30', newman: '^6' } }, false],
])('a lock file beside %s', (_name, ofRoot, ofTools, fits) => {
  expect(isLockOf(lock, (folder) => (folder === '' ? ofRoot : ofTools))).toBe(fits);
});

test('the lock file of this checkout fits its package.json, and puts tools where scripts look for them', () => {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { packages } = read('package-lock.json') as { packages: LockedPackages };
  expect(isLockOf(packages, (folder) => read(join(folder, 'package.json')) as LockedPackages[string])).toBe(
    true,
  );
  const { devDependencies } = read('tools/package.json') as { devDependencies: Record<string, string> };
  expect(Object.keys(devDependencies).filter((name) => !packages[`node_modules/${name}`])).toEqual([]);
});

describe.each(['plain', "fresh ü/any 'name (1) [x] $y"])('in a checkout below %s', (name) => {
  let folder: TestFolder;
  const path = (file: string): string => join(folder.path, name, file);
  const temporary = (): string => join(folder.path, 'tmp');
  const write = (file: string, content: unknown): void => {
    mkdirSync(dirname(path(file)), { recursive: true });
    writeFileSync(path(file), typeof content === 'string' ? content : JSON.stringify(content));
  };

  /** Notes down how it is called, and installs as the lock file says unless it is to do otherwise. */
  const npm = `#!${process.execPath}
    const { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
    const args = process.argv.slice(2);
    const said = existsSync('node_modules/.package-lock.json') ? 'record' : 'no record';
    appendFileSync(process.env.CALLS, args.filter((name) => !/audit|fund/.test(name)).join(' ') + ': ' + said + '\\n');
    if (!/^[\\w./-]+$/.test(process.cwd())) throw new Error('make can not compile in ' + process.cwd());
    if (args[0] === 'ci') rmSync('node_modules', { recursive: true, force: true });
    if (process.env.NPM_FAILS) process.exit(1);
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    if (args.includes('--workspaces=false') || (process.env.ADDS_NOTHING && args[0] === 'install'))
      for (const path of ${JSON.stringify(toolPaths)}) delete packages[path];
    mkdirSync('node_modules/sqlite3', { recursive: true });
    writeFileSync('node_modules/sqlite3/index.js', '');
    writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));`;

  const entryPoint = `
    import { install } from './tasks/install.mjs';
    import { script } from './tasks/run.mjs';
    await script(() => install({ tools: process.argv.includes('--tools') }));`;

  beforeEach(async () => {
    folder = await makeFolder();
    mkdirSync(temporary());
    cpSync(join(root, 'scripts/tasks'), path('scripts/tasks'), { recursive: true });
    writeFileSync(path('scripts/install.mjs'), entryPoint);
    write('package.json', { ...rootPackage, engines: { node: '>=20.0' } });
    write('tools/package.json', toolsPackage);
    write('package-lock.json', { packages: lock });
    write('bin/package.json', { type: 'commonjs' });
    write('bin/npm', npm);
    chmodSync(path('bin/npm'), 0o755);
  });
  afterEach(() => folder.remove());

  const hangingNpm = `
    const { mkdirSync, writeFileSync } = require('node:fs');
    mkdirSync('node_modules/half', { recursive: true });
    writeFileSync(process.env.CALLS, '');
    setInterval(() => undefined, 1000);`;

  const env = (given: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
    ...childEnv(given),
    CALLS: path('calls'),
    TMPDIR: temporary(),
    PATH: `${path('bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  });

  /** Installs, and returns how npm was called for it. */
  const install = (args: readonly string[], given: Readonly<Record<string, string>> = {}): string[] => {
    rmSync(path('calls'), { force: true });
    const { status, stderr } = spawnSync(process.execPath, [path('scripts/install.mjs'), ...args], {
      env: env(given),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([given['NPM_FAILS'] ? 1 : 0, stderr]);
    expect(readdirSync(temporary())).toEqual([]);
    return existsSync(path('calls')) ? readFileSync(path('calls'), 'utf8').trimEnd().split('\n') : [];
  };

  test('an installation that is ended leaves nothing in the folder for temporary files', async () => {
    write('bin/npm', `#!${process.execPath}\n${hangingNpm}`);
    const child = spawn(process.execPath, [path('scripts/install.mjs')], { env: env(), stdio: 'ignore' });
    await until('npm runs', () => existsSync(path('calls')));
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGTERM');
    expect(readdirSync(temporary())).toEqual([]);
    expect(existsSync(path('node_modules/half'))).toBe(true);
  });

  const ci = 'ci --include=dev: no record';
  const addition = 'install --package-lock --no-save --include=dev: no record';

  test('the program comes first, tools are added to it, and then nothing is left to do', () => {
    expect(install([])).toEqual(['ci --workspaces=false --include=dev: no record']);
    expect(install([])).toEqual([]);
    expect(install(['--tools'])).toEqual([addition]);
    expect(install([])).toEqual([]);
    expect(install(['--tools'])).toEqual([]);
  });

  test('everything at once needs no addition', () => {
    expect(install(['--tools'])).toEqual([ci]);
    expect(install([])).toEqual([]);
  });

  test('a changed lock file is followed, with tools where there are tools', () => {
    install(['--tools']);
    write('package-lock.json', { packages: { ...lock, 'node_modules/typescript': { ...other, dev: true } } });
    expect(install([])).toEqual(['ci --include=dev: record']);
  });

  test('an addition that fails leaves the program as it is', () => {
    install([]);
    expect(install(['--tools'], { NPM_FAILS: 'true' })).toEqual([addition]);
    expect(install([])).toEqual([]);
    expect(install(['--tools'])).toEqual([addition]);
  });

  test('an addition that is not exact is followed by an installation from scratch', () => {
    install([]);
    expect(install(['--tools'], { ADDS_NOTHING: 'true' })).toEqual([addition, 'ci --include=dev: record']);
  });

  test('tools that the lock file does not know are left to npm ci to refuse', () => {
    install([]);
    write('tools/package.json', { devDependencies: { jest: '^31' } });
    expect(install(['--tools'])).toEqual(['ci --include=dev: record']);
  });
});
