// FILE…: generates clients of the contracts of other projects, compiles them, and calls the mock.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { formatNumericTable } from '../../scripts/lib/textTable.js';
import { classNameOf } from '../../scripts/sdk/packageFiles.js';
import { packageRoot } from '../../src/lib/packageRoot.js';
import { startMock } from './contracts/startMock.js';
import { exampleCalls, callKinds, type CallKind } from './sdk/exampleCalls.js';

const run = promisify(execFile);
const generator = fileURLToPath(new URL('../../scripts/sdk/main.js', import.meta.url));

/** Of each kind at most so many calls. */
const callsPerKind = 25;

type Call = (options: object) => Promise<unknown>;

interface Outcome {
  readonly operations: number;
  readonly seconds: number;
  /** Good answers and calls, by kind. */
  readonly calls: ReadonlyMap<CallKind, { good: number; all: number }>;
  readonly failures: readonly string[];
}

const compilerOptions = {
  ...{ target: 'es2022', lib: ['es2023', 'dom'], module: 'nodenext', moduleResolution: 'nodenext' },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ types: [], skipLibCheck: false, skipDefaultLibCheck: true, noEmit: true },
};

/** Compiles a program that uses the client, with the strictest options. */
const compileUser = async (folder: string, name: string): Promise<void> => {
  await mkdir(join(folder, 'user/node_modules'), { recursive: true });
  await symlink(join(folder, name), join(folder, 'user/node_modules', name));
  const write = (file: string, text: string) => writeFile(join(folder, 'user', file), text);
  await write('package.json', '{"type":"module"}');
  await write('tsconfig.json', JSON.stringify({ compilerOptions }));
  await write(
    'use.ts',
    `import { create${classNameOf(name)} } from '${name}';
export const client = create${classNameOf(name)}({ baseUrl: '' });
// @ts-expect-error there is no such method
client.noSuchMethod();\n`,
  );
  const compiler = join(packageRoot, 'node_modules/typescript-native/bin/tsc');
  await run(process.execPath, [compiler, '-p', join(folder, 'user')]);
};

const callEach = async (file: string, folder: string, name: string): Promise<Omit<Outcome, 'seconds'>> => {
  const readme = await readFile(join(folder, name, 'README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| `(\w+)` \| `([A-Z]+ \S+)` \|/gm)];
  const methods = new Map(rows.map(([, method = '', request = '']) => [request, method]));
  const address = pathToFileURL(join(folder, name, 'dist/index.js')).href;
  const made = (await import(address)) as Record<string, (options: object) => Record<string, Call>>;
  const mock = await startMock(file);
  const client = made[`create${classNameOf(name)}`]?.({ baseUrl: mock.url, retry: { limit: 0 } }) ?? {};
  const calls = new Map(callKinds.map((kind) => [kind, { good: 0, all: 0 }]));
  const failures: string[] = [];
  for (const { kind, request, options } of exampleCalls(file)) {
    const count = calls.get(kind);
    if (!count || count.all >= callsPerKind) continue;
    count.all++;
    try {
      await client[methods.get(request) ?? '']?.(options);
      count.good++;
    } catch (error) {
      failures.push(`${request}: ${String(error)}`);
    }
  }
  await mock.end();
  return { operations: rows.length, calls, failures };
};

const tryClient = async (file: string): Promise<Outcome> => {
  const folder = await mkdtemp(join(tmpdir(), 'voucherd-sdk-'));
  const name = `${basename(file).replace(/\W+/g, '-').toLowerCase()}-client`;
  const started = performance.now();
  try {
    await run(process.execPath, [generator, '--contract', file, '--out', join(folder, name), '--name', name]);
    const seconds = (performance.now() - started) / 1000;
    await compileUser(folder, name);
    return { seconds, ...(await callEach(file, folder, name)) };
  } finally {
    await rm(folder, { recursive: true });
  }
};

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: npm run soak -- sdk FILE… (docs/sdk.md names packages that contain some)');
  process.exitCode = 2;
}
const rows = [['contract', 'operations', 's', ...callKinds]];
for (const file of files)
  try {
    const { operations, seconds, calls, failures } = await tryClient(file);
    const counts = [...calls.values()].map(({ good, all }) => `${String(good)}/${String(all)}`);
    rows.push([basename(file), String(operations), seconds.toFixed(1), ...counts]);
    for (const failure of failures) console.error(`${basename(file)}: ${failure}`);
  } catch (error) {
    process.exitCode = 1;
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    console.error(`${basename(file)}: ${String(error)}\n${stdout}${stderr}`.slice(0, 2_000));
  }
if (rows.length > 1) console.log(formatNumericTable(rows));
