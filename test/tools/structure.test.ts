import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import config, { rooms, webRooms } from '../../.dependency-cruiser.mjs';
import { root } from '../support/built.js';
import { makeFolder } from '../support/folder.js';

const { forbidden, options } = config;

/** The imports of a tree that a rule forbids, as `rule: from → to`. */
const findViolations = async (baseDir: string, folders: readonly string[]): Promise<string[]> => {
  const { output } = await cruise([...folders], {
    ...options,
    baseDir,
    tsConfig: { fileName: join(root, 'tsconfig.json') },
    validate: true,
    ruleSet: { forbidden },
  });
  return (output as ICruiseResult).summary.violations.map(
    ({ rule, from, to }) => `${rule.name}: ${from} → ${to}`,
  );
};

test('imports run one way, and nowhere in a circle, types included', async () => {
  expect(
    await findViolations(root, [
      'src',
      'handlers',
      'simulators',
      'web',
      'scripts',
      'tools',
      'test/scenarios',
      'test/soak',
    ]),
  ).toEqual([]);
});

test('every folder of src is a room, and src itself holds the entry point', () => {
  const there = readdirSync(join(root, 'src')).map((name) => basename(name, '.ts'));
  expect(there.sort()).toEqual([...rooms].sort());
});

test('every folder of web/src is a room, and web/src itself holds the entry point and the styles', () => {
  const there = readdirSync(join(root, 'web/src')).filter((name) => !name.startsWith('styles.'));
  expect(there.map((name) => basename(name, '.tsx')).sort()).toEqual([...webRooms].sort());
});

/** Imports that a rule forbids, each with the name of that rule. */
const plants: [rule: string, imports: Readonly<Record<string, string>>][] = [
  ['no-cycle', { 'src/lib/a.ts': './b.js', 'src/lib/b.ts': './a.js' }],
  ['lib-imports-downwards', { 'src/lib/a.ts': '../kiosks/b.js' }],
  ['sites-imports-downwards', { 'src/sites/a.ts': '../vouchers/b.js' }],
  ['nouns-know-no-http', { 'src/sites/a.ts': '../http/b.js' }],
  ['handlers-know-services', { 'handlers/a.ts': '../src/database/b.js' }],
  ['contract-run-knows-no-service', { 'tools/contract/src/a.ts': '../../../test/scenarios/b.js' }],
  ['contract-run-knows-no-service', { 'tools/contract/src/a.ts': '../../../src/vouchers/b.js' }],
  ['web-knows-the-contract', { 'web/src/a.ts': '../../src/lib/b.js' }],
  ['web-components-imports-downwards', { 'web/src/components/a.ts': '../pages/b.js' }],
  ['only-composition-knows-handlers', { 'src/sites/a.ts': '../../handlers/b.js' }],
];

/** The files of a plant have its number, so all of them can stand in one tree. */
const numbered = (path: string, plant: number): string => path.replace(/\.(ts|js)$/, `${String(plant)}.$1`);

test('an import that a rule forbids is found', async () => {
  const folder = await makeFolder();
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  };
  for (const [plant, [, imports]] of plants.entries()) {
    const edges = Object.entries(imports).map((edge) => edge.map((path) => numbered(path, plant)));
    for (const [path = '', target = ''] of edges)
      put(join(dirname(path), target.replace(/\.js$/, '.ts')), 'export type B = 1;\n');
    for (const [path = '', target = ''] of edges)
      put(path, `import type { B } from '${target}';\nexport type A = B;\nexport type { B };\n`);
  }
  const found = await findViolations(folder.path, readdirSync(folder.path));
  await folder.remove();
  const expected = plants.map(([rule, imports], plant) => {
    const [path = ''] = Object.keys(imports);
    return `${rule}: ${numbered(path, plant)} → `;
  });
  expect(expected.filter((start) => !found.some((violation) => violation.includes(start)))).toEqual([]);
});

/** The tracked files of these folders whose name ends like this. */
const listFiles = (folders: readonly string[], ending: RegExp): string[] =>
  execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => ending.test(path) && existsSync(join(root, path)));

test('no file of code is longer than 400 lines', () => {
  const folders = ['src', 'handlers', 'web', 'tools', 'scripts', 'simulators', 'test'];
  const lengths = listFiles(folders, /\.(?:[mc]?[jt]s|tsx|css|sh)$/).map(
    (path) => [path, readFileSync(join(root, path), 'utf8').split('\n').length - 1] as const,
  );
  expect(lengths.length).toBeGreaterThan(1000);
  expect(lengths.filter(([, lines]) => lines > 400)).toEqual([]);
});

/** The files of ours that these import, themselves included. */
const importedBy = (paths: readonly string[]): string[] => {
  const found = new Set(paths);
  for (const path of found)
    for (const [, name = ''] of readFileSync(join(root, path), 'utf8').matchAll(
      /(?:from |import\()'(\.[^']+)\.js'/g,
    ))
      found.add(join(dirname(path), `${name}.ts`));
  return [...found];
};

test('what any service can be built on, and what that imports, has no words of ours', () => {
  const words =
    /(?<!')voucher(?!d)|\bsites?\b|site_|kiosk|unifi\b|\bdesk\b|\bguests?\b|uvt_|\.php|(?<!Abort)controller|\b(?:MAX|BASE|DATA|TRUST)_[A-Z_]+|the specification\b|[äöüß]/i;
  const paths = importedBy(listFiles(['src/contract', 'src/http', 'src/framework'], /\.ts$/));
  const found = paths.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (words.test(line) ? [`${path}:${String(index + 1)}: ${line.trim()}`] : [])),
  );
  expect(paths.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});

/** The web UI runs in a browser, and the files of the client in somebody else's program. */
const programOf = (path: string): string => {
  if (path.startsWith('web/')) return 'web';
  return path.startsWith('scripts/sdk/package/') ? 'client' : 'service';
};

test('no two files of one program export the same name', () => {
  const folders = [
    'src',
    'handlers',
    'scripts',
    'simulators',
    'tools',
    'test/scenarios',
    'test/soak',
    'web/reference',
    'web/src',
  ];
  const paths = listFiles(folders, /(?<!\.d)\.tsx?$/);
  const homes = new Map<string, string[]>();
  for (const path of paths) {
    // Two contracts may have an operation of the same name.
    if (/^handlers\/web\/\w+\//.test(path)) continue;
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, name] of text.matchAll(
      /^export (?:abstract |async )?(?:const|class|interface|type|function\*?) (\w+)/gm,
    )) {
      const key = `${programOf(path)}: ${String(name)}`;
      homes.set(key, [...(homes.get(key) ?? []), path]);
    }
  }
  expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
});
