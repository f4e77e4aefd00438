import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { childEnv, root } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { descendantsOf, listProcesses, type RunningProcess } from '../support/processes.js';
import { until } from '../support/until.js';

let folder: TestFolder;
let started: RunningProcess[];
const path = (name: string): string => join(folder.path, name);

beforeEach(async () => {
  folder = await makeFolder();
  started = [];
});

const remaining = (): RunningProcess[] => {
  const running = listProcesses();
  return started.filter(({ pid, command }) =>
    running.some((other) => other.pid === pid && other.command === command),
  );
};

afterEach(async () => {
  for (const { pid } of remaining()) process.kill(pid, 'SIGKILL');
  await folder.remove();
});

const untilAllAreGone = (): Promise<unknown> =>
  until('all that was started is gone', () => remaining().length === 0).catch((cause: unknown) => {
    throw new Error(
      `left: ${remaining()
        .map(({ command }) => command)
        .join('\n')}`,
      { cause },
    );
  });

/** Starts a program, waits until it has written the file `started`, and notes everything that runs then. */
const startUntilMark = async (command: string, args: readonly string[]): Promise<void> => {
  const child = spawn(command, args, {
    cwd: root,
    env: childEnv({ ENDLESS_CHECK_FOLDER: folder.path }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += String(chunk)));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`it ended: ${output}`);
  });
  // Once it has begun it may end.
  ended.catch(() => undefined);
  await Promise.race([ended, until('it has begun', () => existsSync(path('started')))]);
  const pid = child.pid ?? 0;
  started = [...listProcesses().filter((one) => one.pid === pid), ...descendantsOf(pid)];
};

describe('npm test', () => {
  const findStarted = (part: string): RunningProcess => {
    const found = started.find(({ command }) => command.includes(part));
    if (!found) throw new Error(`no process ${part} in: ${started.map(({ command }) => command).join('\n')}`);
    return found;
  };

  test.each([
    ['npm test', 'SIGTERM'],
    ['scripts/check.mjs', 'SIGKILL'],
    ['jest/bin/jest.js', 'SIGKILL'],
  ])('%s gets %s half way: jest, its workers, services and PostgreSQL end', async (part, signal) => {
    await startUntilMark('npm', ['test', '--', '--testMatch', '**/test/tools/endlessCheck.ts']);
    for (const name of ['jest/bin/jest.js', 'processChild.js', 'voucherd.mjs serve', 'postgresServer.mjs'])
      findStarted(name);
    expect(started.filter(({ command }) => command.includes('postgres -D'))).not.toEqual([]);
    process.kill(findStarted(part).pid, signal);
    await untilAllAreGone();
  });
});

describe('a script of npm', () => {
  /** A script that starts another one, which may ignore a signal, and does not care what becomes of it. */
  const endless = (isDeaf: boolean): string => {
    const mark = `require('node:fs').writeFileSync(${JSON.stringify(path('started'))}, '');`;
    const idle = `${isDeaf ? `process.on('SIGTERM', () => {});` : ''}setInterval(() => {}, 1000);`;
    writeFileSync(
      path('endless.cjs'),
      `const { spawn } = require('node:child_process');
       spawn(process.execPath, ['-e', ${JSON.stringify(idle + mark)}], { stdio: 'ignore' });
       setInterval(() => {}, 1000);`,
    );
    return path('endless.cjs');
  };

  test.each<[NodeJS.Signals, string, boolean]>([
    ['SIGTERM', 'what it started', false],
    ['SIGINT', 'what it started', false],
    ['SIGHUP', 'even what ignores a signal', true],
  ])('that gets %s ends %s', async (signal, _what, isDeaf) => {
    await startUntilMark(process.execPath, ['scripts/supervise.mjs', endless(isDeaf)]);
    expect(started).toHaveLength(3);
    process.kill(started[0]?.pid ?? 0, signal);
    await untilAllAreGone();
  });

  test('ends what it started when npm is killed', async () => {
    // A shell with something to do afterwards, in place of npm, and with npm's variable.
    const line = `npm_lifecycle_event=soak "${process.execPath}" scripts/supervise.mjs "${endless(false)}"; true`;
    await startUntilMark('sh', ['-c', line]);
    expect(started).toHaveLength(4);
    process.kill(started[0]?.pid ?? 0, 'SIGKILL');
    await untilAllAreGone();
  });

  test('that starts programs is supervised, and nothing stands between it and npm', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const loose = Object.entries(scripts).filter(
      ([, command]) => !/^exec node (--\S+ )*scripts\/[\w/]+\.mjs( |$)/.test(command),
    );
    expect(loose).toEqual([]);
  });
});
