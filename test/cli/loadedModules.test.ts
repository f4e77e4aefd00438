import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root, runScript } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';

const checkout = pathToFileURL(root).href;

const groups = ['key', 'user', 'site', 'voucher', 'controller', 'webhook', 'secret'];
const single = ['serve', 'mock', 'proxy', 'migrate', 'sync', 'doctor'];

const plain = [['--version'], ['--help'], ['help'], [], ['serv'], ['--colour']];
const usage = [
  ...[...groups, ...single].map((name) => [name, '--help']),
  ['help', 'key'],
  ...groups.map((name) => [name, 'unknown']),
  ...single.map((name) => [name, '--colour']),
  ['key', 'create', '--name', 'x'],
  ['controller', 'add', '--name', 'x'],
];

/** Records in a file what is imported, then runs each command line and tells what has been imported for it. */
const script = (file: string, commandLines: readonly string[][]): string => `
  import { readFileSync, writeFileSync } from 'node:fs';
  import { register } from 'node:module';
  const hooks = \`
    import { appendFileSync } from 'node:fs';
    let file;
    export const initialize = (data) => { file = data; };
    export const resolve = async (specifier, context, next) => {
      const resolved = await next(specifier, context);
      appendFileSync(file, resolved.url + '\\\\n');
      return resolved;
    };
  \`;
  const file = ${JSON.stringify(file)};
  writeFileSync(file, '');
  register('data:text/javascript,' + encodeURIComponent(hooks), { data: file });
  const { main } = await import(${JSON.stringify(`${checkout}dist/program/main.js`)});
  const io = { env: { DATA_DIR: '/nowhere/voucherd' }, out: () => undefined, err: () => undefined };
  const runs = [];
  for (const argv of ${JSON.stringify(commandLines)}) {
    const status = await main(argv, io);
    runs.push({ argv, status, urls: readFileSync(file, 'utf8').split('\\n') });
    writeFileSync(file, '');
  }
  console.log(JSON.stringify(runs));
`;

interface Run {
  readonly argv: readonly string[];
  readonly status: number;
  readonly urls: readonly string[];
}

/** The paths in the checkout of the sources of a file, which the program's source maps tell. */
const sourcesOf = (url: string): string[] => {
  if (!url.startsWith(checkout)) return [];
  const path = url.slice(checkout.length);
  if (!path.startsWith('dist/program/')) return [path];
  const { sources } = JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')) as { sources: string[] };
  return sources.map((source) => new URL(source, url).href.slice(checkout.length));
};

/** Modules of ours by their path, packages by their name. */
const namesIn = ({ urls }: Run): string[] => [
  ...new Set(
    urls.flatMap(sourcesOf).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? path),
  ),
];

let folder: TestFolder;
let runs: readonly Run[];
beforeAll(async () => {
  folder = await makeFolder();
  runs = JSON.parse(await runScript(script(join(folder.path, 'urls'), [...plain, ...usage]))) as Run[];
});
afterAll(() => folder.remove());

test('--version and --help, and a command that does not exist, load no command', () => {
  const [first, ...others] = runs.slice(0, plain.length);
  expect(first).toMatchObject({ argv: ['--version'], status: 0 });
  expect(namesIn(first!).sort()).toEqual([
    'commander',
    'src/cli/io.ts',
    'src/lib/label.ts',
    'src/lib/packageRoot.ts',
    'src/lib/problem.ts',
    'src/lib/system.ts',
    'src/main.ts',
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
      /^(?:knex|pg|sqlite3|got|express|openapi-backend|cockatiel)$|^src\/(?:app|storage\/database|storage\/migrator|http\/|controllers\/(?:registry|unifi|simulated\/simulated))/;
    expect(
      runs.flatMap((run) =>
        namesIn(run)
          .filter((name) => heavy.test(name))
          .map((name) => [run.argv, name]),
      ),
    ).toEqual([]);
  });
});
