import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/built.js';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const { bin, scripts, workspaces, dependencies, devDependencies } = JSON.parse(read('package.json')) as {
  bin: Record<string, string>;
  scripts: Record<string, string>;
  workspaces: string[];
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

const workspacePackages = workspaces.flatMap((folder) => {
  const { devDependencies: named = {} } = JSON.parse(read(`${folder}/package.json`)) as {
    devDependencies?: Record<string, string>;
  };
  return Object.keys(named);
});

/** What a file names in quotation marks: the files and packages that it loads, and more. */
const namesIn = (file: string): string[] =>
  [...read(file).matchAll(/'([@\w.][^'\n]*)'/g)].map(([, name]) => name ?? '');

const isFile = (name: string): boolean => /^\.{1,2}\//.test(name);

/** The source of what a file loads: `dist/` is built from it, and sources name each other as they are built. */
const sourceOf = (file: string, loaded: string): string | undefined => {
  const path = join(dirname(file), loaded).replace(/^dist\//, '');
  return [path, path.replace(/\.js$/, '.ts')].find(
    (name) => /\.m?[jt]s$/.test(name) && existsSync(join(root, name)),
  );
};

const closureOf = (file: string, known = new Set<string>()): Set<string> => {
  known.add(file);
  for (const name of namesIn(file).filter(isFile)) {
    const source = sourceOf(file, name);
    if (source !== undefined && !known.has(source)) closureOf(source, known);
  }
  return known;
};

/** The packages that a file imports, without those of Node. */
const packagesOf = (file: string): string[] =>
  [...read(file).matchAll(/(?:\bfrom |\bimport\()'((?:@[\w-]+\/)?[\w][\w.-]*)[^':]*'/g)].map(
    ([, name]) => name ?? '',
  );

/** `file: package` for each import of a package that is not among these. */
const missingFrom = (packages: Readonly<Record<string, string>>, files: Iterable<string>): string[] =>
  [...files].flatMap((file) =>
    packagesOf(file)
      .filter((name) => !(name in packages))
      .map((name) => `${file}: ${name}`),
  );

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?[jt]s$/.test(name))
    .map((name) => join(folder, name));

/** Drivers that knex would load if it were told to, and what ajv writes into code that it can store. */
const neverLoaded = [
  'better-sqlite3',
  'mariadb/callback',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'tedious',
];
const isLoaded = (name: string): boolean =>
  !isBuiltin(name) &&
  !neverLoaded.includes(name) &&
  !/^(?:ajv\/dist\/runtime\/|ajv-formats\/dist\/formats$)/.test(name);

/** What the bundle leaves outside, as it names it: a package, or a file of one. */
const namesOutside = (): string[] => {
  const files = readdirSync(join(root, 'dist/program')).filter((name) => name.endsWith('.cjs'));
  return files
    .flatMap((file) => [
      ...read(`dist/program/${file}`).matchAll(/\b(?:require|import)\d*\("([@a-z][\w./@-]*)"\)/g),
    ])
    .map(([, name]) => name ?? '')
    .filter(isLoaded);
};

test('the built program loads the dependencies, and all other packages are part of it', () => {
  const packages = namesOutside().map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]);
  expect([...new Set(packages)].sort()).toEqual(Object.keys(dependencies).sort());
});

test.each(Object.entries(bin))('%s imports only packages that package.json names', (_name, script) => {
  const files = [...closureOf(script)];
  expect(files.length).toBeGreaterThan(20);
  expect(missingFrom({ ...dependencies, ...devDependencies }, files)).toEqual([]);
});

/** The scripts that install no tools, as package.json calls them, with what they do first. */
const lightScripts = ['prestart', 'start', 'presimulator', 'simulator', 'mock', 'proxy', 'generate', 'build'];

test('what starts, simulates, mocks and builds imports no package of the tools', () => {
  const files = new Set(
    lightScripts.flatMap((name) => {
      const [script] = /scripts\/\S+\.mjs/.exec(scripts[name] ?? '') ?? [];
      expect(scripts[name]).not.toContain('--tools');
      return [...closureOf(script ?? name)];
    }),
  );
  expect([...files]).toContain('src/app/app.ts');
  expect([...files]).toContain('simulators/main.ts');
  expect(missingFrom({ ...dependencies, ...devDependencies }, files)).toEqual([]);
});

test('declaring the types of `voucherd/contract` reads no file of the tools', () => {
  const ls = ['ls', '--all', '--parseable', '--workspaces=false', '--package-lock-only'];
  const listed = spawnSync('npm', ls, { cwd: root, encoding: 'utf8' }).stdout.trim().split('\n');
  const program = new Set(listed.map((path) => relative(root, path)));
  const tsc = [
    'node_modules/typescript-native/bin/tsc',
    '-p',
    'tsconfig.declarations.json',
    '--listFilesOnly',
  ];
  const { stdout } = spawnSync(process.execPath, tsc, { cwd: root, encoding: 'utf8' });
  const files = stdout
    .trim()
    .split('\n')
    .map((file) => relative(root, file));
  expect(files).toContain('src/http/server.ts');
  const used = files.map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  expect(used).toContain('node_modules/@types/node');
  expect([...new Set(used)].filter((path) => path !== undefined && !program.has(path))).toEqual([]);
});

test('scripts, tools and tests import only packages that package.json or a workspace names', () => {
  const files = ['scripts', 'simulators', 'tools', 'test']
    .flatMap(sourcesIn)
    // It has packages of its own.
    .filter((file) => !file.startsWith('test/interop/'));
  // Clients are made by a script, and named in their own documentation and tests. Services of one's own import voucherd.
  const made = { 'voucherd-client': '', 'rooms-client': '', 'loans-client': '', voucherd: '' };
  const tools = Object.fromEntries(workspacePackages.map((name) => [name, '']));
  const named = { ...dependencies, ...devDependencies, ...tools, ...made };
  expect(missingFrom(named, files)).toEqual([]);
});

test('no package is named twice', () => {
  const all = [...Object.keys(dependencies), ...Object.keys(devDependencies), ...workspacePackages];
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
