import { execFileSync, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findFreePort } from '../setup/freePort.mjs';
import { childEnv, root } from '../support/built.js';
import { makeFolder, type TestFolder } from '../support/folder.js';
import { exchange } from '../support/rawSocket.js';
import { send } from '../support/service.js';
import { until } from '../support/until.js';

let folder: TestFolder;
let url: string;
let child: ChildProcess;
let opened: number[];

beforeEach(async () => {
  folder = await makeFolder();
  opened = [];
});
afterEach(async () => {
  child.kill('SIGKILL');
  await until('the service is gone', () => child.exitCode !== null || child.signalCode !== null);
  for (const fd of opened) closeSync(fd);
  await folder.remove();
});

const open = (file: string, flags: number): number => {
  const fd = openSync(file, flags);
  opened.push(fd);
  return fd;
};

const program = ['scripts/voucherd.mjs', 'serve'];

const start = async (command: string, args: readonly string[], stdio: StdioOptions): Promise<void> => {
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  const env = childEnv({ DATA_DIR: join(folder.path, 'data'), PORT: String(port) });
  child = spawn(command, args, { cwd: root, env, stdio });
  const isUp = (): Promise<boolean> =>
    send(url, 'GET', '/healthz').then(
      ({ status }) => status === 200,
      () => false,
    );
  await until('the service answers', isUp);
};

/** Each is answered, and makes a log line. */
const ask = async (requests: number): Promise<void> => {
  const request = 'GET /sites.php HTTP/1.1\r\nHost: x\r\n\r\n';
  const answers = await exchange(url, request.repeat(requests), requests);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: requests }, () => 401));
};

const droppedLines = async (): Promise<number> => {
  const { text } = await send(url, 'GET', '/metrics');
  return Number(/^voucherd_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
};

const stop = async (): Promise<void> => {
  child.kill('SIGTERM');
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await until('the service ends', hasEnded);
  expect([child.exitCode, child.signalCode]).toEqual([0, null]);
};

test('a full disk behind standard output loses log lines and nothing else', async () => {
  // Every write to it fails with ENOSPC.
  await start(process.execPath, program, ['ignore', open('/dev/full', constants.O_WRONLY), 'ignore']);
  await ask(50);
  // Lines are written some at a time, in the background.
  await until('all lines are counted as dropped', async () => (await droppedLines()) >= 50);
  await stop();
});

describe('a reader of the log that stalls', () => {
  test('keeps no request waiting when standard output is a pipe, and is told what it missed when it is back', async () => {
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    await start(process.execPath, program, ['ignore', open(pipe, constants.O_WRONLY), 'ignore']);
    let asked = 0;
    while ((await droppedLines()) === 0) {
      await ask(500);
      asked += 500;
    }
    const chunk = Buffer.alloc(65_536);
    let text = '';
    const told = await until('the reader is told', () => {
      try {
        text += chunk.toString('utf8', 0, readSync(reader, chunk));
      } catch {
        // Nothing to read at the moment.
      }
      return /"dropped":(\d+),"msg":"log lines were dropped/.exec(text)?.[1];
    });
    expect(Number(told)).toBe(await droppedLines());
    // What else is logged may be among the dropped.
    expect(text.match(/"operation":"listSites"/g)?.length).toBeGreaterThanOrEqual(asked - Number(told));
    await stop();
  });

  test('keeps no request waiting, and the service from ending, when standard output is a socket', async () => {
    await start(process.execPath, program, ['ignore', 'pipe', 'ignore']);
    await ask(1500);
    await stop();
  });

  // Of Debian's essential packages; it gives a program a terminal, and reads from that only what it can pass on.
  const script = '/usr/bin/script';
  (existsSync(script) ? test : test.skip)(
    'keeps no request waiting when standard output is a terminal',
    async () => {
      const command = `exec ${JSON.stringify(process.execPath)} ${program.join(' ')}`;
      await start(script, ['-qfc', command, '/dev/null'], ['pipe', 'pipe', 'ignore']);
      await ask(1500);
    },
  );
});
