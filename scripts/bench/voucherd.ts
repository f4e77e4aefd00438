import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { get } from './answers.js';
import type { Workspace } from './workspace.js';

/** The root of the checkout, seen from dist/scripts/bench. */
const root = fileURLToPath(new URL('../../../', import.meta.url));

export const contractFile = join(root, 'openapi.yaml');

/** A server in a child process. */
export interface Served {
  readonly url: string;
  readonly pid: number | undefined;
  /** From the start of the process to its first answer. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** Starts voucherd as it is built, on the data in this folder, as an operator would. */
export const startVoucherd = (
  workspace: Workspace,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> =>
  startServer(workspace, folder, [join(root, 'scripts/voucherd.mjs'), 'serve', '--json'], {
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    // What is seeded is on no controller: a sync would find it gone, and write.
    SYNC_INTERVAL_S: '0',
    ...env,
  });

const patienceMs = 30_000;

/**
 * Starts a program of node that prints `{"url":…}` once it listens, and waits for it to be ready. Its output goes to
 * a file, as to an operator's log collector: a pipe to this process would make this process part of what is measured.
 */
export const startServer = async (
  workspace: Workspace,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Served> => {
  const logFile = join(folder, 'output.log');
  const log = openSync(logFile, 'w');
  const started = performance.now();
  const child = workspace.adopt(
    spawn(process.execPath, args, { env: productionEnv(env), stdio: ['ignore', log, log] }),
  );
  closeSync(log);
  const url = await poll(child, async () => /"url":"(http[^"]+)"/.exec(await readFile(logFile, 'utf8'))?.[1]);
  await poll(child, async () => ((await get(`${url}/readyz`)).status === 200 ? true : undefined));
  return { url, pid: child.pid, startMs: performance.now() - started, stop: () => workspace.end(child) };
};

/** The settings of whoever runs the benchmark must not change what is measured. */
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
  const until = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (child.exitCode !== null)
      throw new Error(`the server ended with ${child.exitCode} before it was ready`);
    if (performance.now() > until) throw new Error(`the server was not ready within ${patienceMs / 1000} s`);
    await sleep(2);
  }
};
