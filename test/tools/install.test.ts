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
import { beforeEach, describe, expect, test } from '@jest/globals';
import { childEnv, root } from '../support/built.js';
import { forEachTest } from '../support/fixture.js';
import { makeFolder } from '../support/folder.js';
import { until } from '../support/until.js';

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

test('the lock file puts tools where scripts look for them', () => {
  const { packages } = read('package-lock.json') as { packages: Record<string, unknown> };
  const { devDependencies } = read('tools/package.json') as { devDependencies: Record<string, string> };
  expect(Object.keys(devDependencies).filter((name) => !packages[`node_modules/${name}`])).toEqual([]);
});

const packages = {
  '': { dependencies: { sqlite3: '^6' }, devDependencies: { typescript: '5' } },
  'node_modules/bindings': { integrity: 'bindings 1' },
  'node_modules/fsevents': { integrity: 'fsevents 2', optional: true },
  'node_modules/jest': { integrity: 'jest 30', dev: true },
  'node_modules/sqlite3': { integrity: 'sqlite3 6', dependencies: { bindings: '1' } },
  'node_modules/typescript': { integrity: 'typescript 5', dev: true },
};

describe.each(['plain', "fresh ü/any 'name (1) [x] $y"])('in a checkout below %s', (name) => {
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
    delete packages[''];
    delete packages['node_modules/fsevents'];
    if (args.includes('--workspaces=false') || (process.env.ADDS_NOTHING && args[0] === 'install'))
      delete packages['node_modules/jest'];
    else mkdirSync('node_modules/jest', { recursive: true });
    mkdirSync('node_modules/sqlite3', { recursive: true });
    writeFileSync('node_modules/sqlite3/index.js', '');
    writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));`;

  const entryPoint = `
    import { install } from './tasks/install.mjs';
    import { script } from './tasks/run.mjs';
    await script(() => install({ tools: process.argv.includes('--tools') }));`;

  const folder = forEachTest(makeFolder, 'remove');
  beforeEach(async () => {
    mkdirSync(temporary());
    cpSync(join(root, 'scripts/tasks'), path('scripts/tasks'), { recursive: true });
    write('scripts/install.mjs', entryPoint);
    write('package.json', {});
    write('package-lock.json', { packages });
    write('bin/package.json', { type: 'commonjs' });
    write('bin/npm', npm);
    chmodSync(path('bin/npm'), 0o755);
  });

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

  const ci = 'ci --include=dev: no record';
  const programOnly = 'ci --workspaces=false --include=dev: no record';
  const update = 'install --package-lock --no-save --include=dev: no record';

  test('the program comes first, tools are added to it, and then nothing is left to do', () => {
    expect(install([])).toEqual([programOnly]);
    expect(install([])).toEqual([]);
    expect(install(['--tools'])).toEqual([update]);
    expect(install([])).toEqual([]);
    expect(install(['--tools'])).toEqual([]);
  });

  test('a changed lock file is followed, with tools where there are tools', () => {
    expect(install(['--tools'])).toEqual([ci]);
    const changed = { ...packages, 'node_modules/bindings': { integrity: 'bindings 2' } };
    write('package-lock.json', { packages: changed });
    expect(install([])).toEqual([update]);
    expect(install(['--tools'])).toEqual([]);
  });

  test('an update that fails leaves the program as it is; one that is not exact is followed by npm ci', () => {
    install([]);
    expect(install(['--tools'], { NPM_FAILS: 'true' })).toEqual([update]);
    expect(install([])).toEqual([]);
    expect(install(['--tools'], { ADDS_NOTHING: 'true' })).toEqual([update, 'ci --include=dev: record']);
  });

  test('an installation that is ended leaves no record, and nothing in the folder for temporary files', async () => {
    write(
      'bin/npm',
      `#!${process.execPath}
      require('node:fs').mkdirSync('node_modules/half', { recursive: true });
      require('node:fs').writeFileSync(process.env.CALLS, '');
      setInterval(() => undefined, 1000);`,
    );
    const child = spawn(process.execPath, [path('scripts/install.mjs')], { env: env(), stdio: 'ignore' });
    await until('npm runs', () => existsSync(path('calls')));
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(child.exitCode).toBe(143);
    expect(readdirSync(temporary())).toEqual([]);
    write('bin/npm', npm);
    expect(install([])).toEqual([programOnly]);
  });
});
