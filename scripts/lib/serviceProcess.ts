import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../src/lib/packageRoot.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A running service, as built, in a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  kill(): Promise<void>;
  /** Resolves with its exit status. */
  stop(): Promise<number | null>;
}

const environment = (env: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_ENV: 'production',
  ...env,
});

const program = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
  join(packageRoot, 'scripts/voucherd.mjs'),
];

/** Runs a command of the built program, and returns what it printed. */
export const runCommand = async (args: readonly string[], env: Environment): Promise<string> => {
  const child = spawn(process.execPath, [...program, ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => void (err += String(chunk)));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`voucherd ${args.join(' ')}: ${err.trim()}`);
  return out.trim();
};

const startTimeoutMs = 120_000;

/** Starts the built service; its output goes to a file, as an operator's log collector would have it. */
export const startServiceProcess = async (env: Environment, logFile: string): Promise<ServiceProcess> => {
  const log = openSync(logFile, 'a');
  const written = readFileSync(logFile).length;
  const child = spawn(process.execPath, [...program, 'serve', '--json'], {
    env: environment({ PORT: '0', ...env }),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  // The service ends with this process, however that ends.
  const killChild = (): void => void child.kill('SIGKILL');
  process.once('exit', killChild);
  child.once('exit', () => process.off('exit', killChild));
  const output = (): string => readFileSync(logFile).subarray(written).toString();
  const until = performance.now() + startTimeoutMs;
  for (;;) {
    const url = /"url":"(http[^"]+)"/.exec(output())?.[1];
    if (url !== undefined) return running(child, url);
    if (child.exitCode !== null)
      throw new Error(`the service ended before it was ready: ${lastLines(output())}`);
    if (performance.now() > until) {
      child.kill('SIGKILL');
      throw new Error('the service was not ready in time');
    }
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

const running = (child: ChildProcess, url: string): ServiceProcess => {
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  };
  return {
    url,
    pid: child.pid ?? 0,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
};
