import { fork, spawn, type ChildProcess, type Serializable } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../../src/lib/packageRoot.js';
import { getOnce } from './requests.js';
import type { DataCopy } from './seededData.js';
import type { Workspace } from './workspace.js';

/** A server in a child process. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** From the start of the process to its first answer. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** The flags in the first line of the program. */
export const programFlags = ['--max-semi-space-size=4', '--heap-growing-percent=50'];

/** The arguments of node that start the program. */
export const programArgs = [...programFlags, join(packageRoot, 'scripts/voucherd.mjs')];

/** Starts voucherd as it is built, on a copy of the data, as an operator would. */
export const startVoucherd = (
  workspace: Workspace,
  { folder, databaseUrl }: DataCopy,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> =>
  startServerProcess(workspace, folder, [...programArgs, 'serve', '--json'], {
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    // What is seeded is on no controller: a sync would find it gone, and write.
    SYNC_INTERVAL_S: '0',
    ...env,
  });

const startTimeoutMs = 30_000;

/**
 * Starts a program of node that prints `{"url":…}` once it listens, and waits for it to be ready. Its output goes to
 * a file, as to an operator's log collector: a pipe to this process would make this process part of what is measured.
 */
export const startServerProcess = async (
  workspace: Workspace,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> => {
  const logFile = join(folder, 'output.log');
  const log = openSync(logFile, 'w');
  const started = performance.now();
  const child = workspace.adopt(
    spawn(process.execPath, args, { env: productionEnv(env), stdio: ['ignore', log, log] }),
  );
  closeSync(log);
  const url = await poll(child, async () => /"url":"(http[^"]+)"/.exec(await readFile(logFile, 'utf8'))?.[1]);
  await poll(child, async () => ((await getOnce(`${url}/readyz`)).status === 200 ? true : undefined));
  return { url, pid: child.pid, startMs: performance.now() - started, stop: () => workspace.end(child) };
};

/** The settings of the user's shell must not change what is measured. */
const productionEnv = (env: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TZ: process.env['TZ'],
  NODE_ENV: 'production',
  ...env,
});

const poll = async <T>(
  child: { exitCode: number | null },
  look: () => Promise<T | undefined>,
): Promise<T> => {
  const until = performance.now() + startTimeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (child.exitCode !== null)
      throw new Error(`the server ended with ${child.exitCode} before it was ready`);
    if (performance.now() > until)
      throw new Error(`the server was not ready within ${startTimeoutMs / 1000} s`);
    await sleep(2);
  }
};

/** One of our own programs (programs/…) in a child process. It says when it is ready, then answers questions. */
interface ChildProgram<Ready> {
  readonly pid: number | undefined;
  readonly ready: Ready;
  ask<Answer>(question: Serializable): Promise<Answer>;
  stop(): Promise<void>;
}

type Name = 'replay' | 'commits' | 'conventional' | 'autocannon';

/** No start and no single measurement takes this long. */
const messageTimeoutMs = 60_000;

/** Starts a program as an operator would: with production settings. */
export const startChildProgram = async <Ready>(
  workspace: Workspace,
  name: Name,
  argument: Serializable = {},
): Promise<ChildProgram<Ready>> => {
  const file = fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
  const child = workspace.adopt(
    fork(file, {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  const ask = async <Answer>(question: Serializable): Promise<Answer> => {
    const answer = nextMessage(child, name);
    child.send(question);
    return (await answer) as Answer;
  };
  return {
    pid: child.pid,
    ready: await ask<Ready>(argument),
    ask,
    stop: () => workspace.end(child),
  };
};

const nextMessage = (child: ChildProcess, name: Name): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      settle();
      resolve(message);
    };
    const onExit = (): void => {
      settle();
      reject(new Error(`${name} ended unexpectedly`));
    };
    const timer = setTimeout(() => {
      settle();
      reject(new Error(`${name} gave no answer within ${messageTimeoutMs / 1000} s`));
    }, messageTimeoutMs);
    const settle = (): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
    };
    child.on('message', onMessage).on('exit', onExit);
  });
