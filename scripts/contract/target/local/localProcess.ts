import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../../../src/lib/packageRoot.js';

/** The built program, running on the data in a folder. */
export interface LocalProcess {
  readonly url: string;
  stop(): Promise<void>;
}

const startTimeoutMs = 120_000;
const stopTimeoutMs = 5_000;

/** Starts voucherd as it is built, as an operator would. */
export const startLocalProcess = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<LocalProcess> => {
  const program = join(packageRoot, 'scripts/voucherd.mjs');
  if (!existsSync(join(packageRoot, 'dist/src/main.js'))) {
    throw new Error('voucherd is not built yet: run `npm run build`');
  }
  const logFile = join(dataDir, 'output.log');
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [program, 'serve', '--json'], {
    cwd: dataDir,
    env: { ...localSettings(dataDir), ...settings },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  // The service ends with this process, however that ends.
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const stop = async (): Promise<void> => {
    process.off('exit', end);
    await ended(child);
  };
  try {
    const url = await listening(child, logFile);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** The settings of the user's shell must not change what is tested. */
export const localSettings = (dataDir: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TZ: process.env['TZ'],
  // As deployed: an undocumented answer is sent, so that it is seen here.
  NODE_ENV: 'production',
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  // A lost answer is not waited for longer, and the reconciler must not settle it meanwhile.
  CONTROLLER_DEADLINE_S: '1',
  RECONCILE_INTERVAL_S: '3600',
});

const listening = async (child: ChildProcess, logFile: string): Promise<string> => {
  const until = performance.now() + startTimeoutMs;
  for (;;) {
    const text = await readFile(logFile, 'utf8');
    const url = /"url":"(http[^"]+)"/.exec(text)?.[1];
    if (url !== undefined) return url;
    const output = lastLines(text);
    if (child.exitCode !== null) {
      throw new Error(`the service ended with ${child.exitCode} before it was ready: ${output}`);
    }
    if (performance.now() > until)
      throw new Error(`the service was not ready within ${startTimeoutMs / 1000} s: ${output}`);
    await sleep(20);
  }
};

/** The last lines that a program printed, without stack traces. */
const lastLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at |^Node\.js /.test(line))
    .slice(-3)
    .join(' ');

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const late = sleep(stopTimeoutMs, undefined, { ref: false }).then(() => child.kill('SIGKILL'));
  await Promise.race([gone, late.then(() => gone)]);
};
