import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { childEnv, root } from './support/built.js';
import { makeConsoleCliFixture, type ConsoleCliFixture } from './support/consoleCliFixture.js';
import { send, type RequestOptions } from './support/service.js';
import { until } from './support/until.js';

/** What the program sends after each answer, see support/enteredFunctions.mjs. */
interface Recording {
  readonly status: number;
  readonly files: readonly { readonly url: string; readonly functions: readonly string[] }[];
}

/** The functions that were called, by the source file that declares them. */
type EnteredFunctions = ReadonlyMap<string, readonly string[]>;

const document = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** The numbered entries below a heading, and the tools that are named behind them. */
const documentedWay = (heading: string): { entries: [string, string][]; tools: string[] } => {
  const section = document.split(/^#+ /m).find((text) => text.startsWith(heading)) ?? '';
  const entries = [...section.matchAll(/^\d+\. `([^`: ]+): ([^`]+)`/gm)];
  const tools = /^Tools: ([^]*?)\n\n/m.exec(section)?.[1] ?? '';
  return {
    entries: entries.map(([, file = '', name = '']) => [file, name]),
    tools: [...tools.matchAll(/`([^`]+)`/g)].map(([, name = '']) => `src/${name}`),
  };
};

/** The files of ours in a recording, as sources. Packages have folders called dist, too. */
const enteredFunctions = ({ files }: Recording): EnteredFunctions =>
  new Map(
    files.flatMap(({ url, functions }) => {
      const file = /\/dist\/((?:src|handlers)\/.*)\.js$/.exec(url)?.[1];
      return file === undefined || url.includes('/node_modules/') ? [] : [[`${file}.ts`, functions]];
    }),
  );

const isEntered = (entered: EnteredFunctions, file: string, name: string): boolean => {
  const functions = entered.get(file) ?? [];
  // What a factory returns may have no name, so the document names the factory.
  return functions.includes(name) || (name.startsWith('make') && functions.includes(''));
};

let cli: ConsoleCliFixture;
let program: ChildProcess;
let url: string;
let key: string;
const recordings: Recording[] = [];

beforeAll(async () => {
  cli = await makeConsoleCliFixture();
  await cli.add('Zentrale', 'unifi');
  await cli.voucherd('site', 'add', '--name', 'Hauptgebäude', '--controller', 'Zentrale');
  key = (await cli.voucherd('key', 'create', '--name', 'Test', '--scope', 'write')).out.trim();
  program = fork('scripts/voucherd.mjs', ['serve', '--json'], {
    cwd: root,
    silent: true,
    // With source maps the program is a module for each source, and not the bundle.
    execArgv: ['--enable-source-maps', '--import', './test/support/enteredFunctions.mjs'],
    env: childEnv({ ...cli.env, PORT: '0', SYNC_INTERVAL_S: '0' }),
  });
  program.on('message', (recording: Recording) => void recordings.push(recording));
  let printed = '';
  for (const stream of [program.stdout, program.stderr])
    stream?.on('data', (chunk: Buffer) => void (printed += String(chunk)));
  url = await until('the address of the service', () => {
    if (program.exitCode !== null) throw new Error(`it ended: ${printed}`);
    return /^\{"url":"([^"]+)"\}$/m.exec(printed)?.[1];
  });
});

afterAll(async () => {
  // It holds its timers, so it could not end gracefully.
  program.kill('SIGKILL');
  await once(program, 'exit');
  await cli.remove();
});

/** What two recordings have in common: a job that ran beside one of the requests is not part of both. */
const inBoth = (a: EnteredFunctions, b: EnteredFunctions): EnteredFunctions =>
  new Map([...a].filter(([file]) => b.has(file)));

/**
 * Sends a request five times and returns the files that each of the last three entered. The first two open connections
 * and fill caches.
 */
const record = async (
  method: string,
  path: string,
  options: RequestOptions,
  status: number,
): Promise<EnteredFunctions> => {
  recordings.length = 0;
  for (const count of [1, 2, 3, 4, 5]) {
    await send(url, method, path, { key, ...options });
    await until('a recording', () => recordings.length === count || undefined);
  }
  expect(recordings.map((recording) => recording.status)).toEqual(Array(5).fill(status));
  return recordings.slice(2).map(enteredFunctions).reduce(inBoth);
};

const ways = [
  {
    heading: 'POST /vouchers.php',
    maxEntries: 42,
    record: () => record('POST', '/vouchers.php', { body: { site_id: 1, name: 'Familie Berger' } }, 201),
  },
  {
    heading: 'GET /vouchers.php',
    maxEntries: 16,
    record: () => record('GET', '/vouchers.php?site_id=1', {}, 200),
  },
];

describe.each(ways)('docs/architecture.md, $heading', ({ heading, maxEntries, record }) => {
  const { entries, tools } = documentedWay(heading);
  const listed = [...new Set([...entries.map(([file]) => file), ...tools])];
  let entered: EnteredFunctions;
  beforeAll(async () => {
    entered = await record();
  });

  test('lists the files that the request enters, and no others', () => {
    expect({
      'entered, but missing in the document': [...entered.keys()].filter((file) => !listed.includes(file)),
      'in the document, but not entered': listed.filter((file) => !entered.has(file)),
    }).toEqual({
      'entered, but missing in the document': [],
      'in the document, but not entered': [],
    });
  });

  test('is short enough to be read', () => {
    expect(entries.length).toBeLessThanOrEqual(maxEntries);
  });

  test('names functions that the request calls', () => {
    const notCalled = entries
      .filter(([file, name]) => !isEntered(entered, file, name))
      .map(([file, name]) => `${file}: ${name}; called are ${entered.get(file)?.join(', ') ?? 'none'}`);
    expect(notCalled).toEqual([]);
  });
});
