import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from '@jest/globals';
import { nodeFlags } from '../../scripts/tasks/program.mjs';
import { formatCommandLine } from '../../src/lib/commandLine.js';
import type { Io } from '../../src/cli/io.js';
import type { Signals } from '../../src/lib/signals.js';
import { main } from '../../src/main.js';
import { childEnv, root, runScript } from './built.js';
import { passwordCost } from './authFixture.js';
import { until } from './until.js';

/** How a command ended, and what it printed. */
export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** How hints call the program in this checkout. */
export const program = formatCommandLine('').trim();

type Env = Readonly<Record<string, string>>;

/** Runs one command in this process. */
export const run = async (
  argv: readonly string[],
  env: Env = {},
  signals?: Signals,
  input?: Io['input'],
): Promise<Ended> => {
  let [out, err] = ['', ''];
  const io = {
    env,
    passwordCost,
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    ...(input && { input }),
  };
  const status = await main(argv, io, signals);
  return { status, out, err };
};

/** Runs commands of the built program, one after the other, in one process of their own. */
export const runBuilt = async (
  commandLines: readonly (readonly string[])[],
  env: Env = {},
): Promise<Ended[]> => {
  const script = `
    import { loadProgram } from './scripts/tasks/program.mjs';
    const { main } = await loadProgram();
    const env = ${JSON.stringify(env)};
    const all = [];
    for (const argv of ${JSON.stringify(commandLines)}) {
      let [out, err] = ['', ''];
      const io = { env, out: (text) => void (out += text), err: (text) => void (err += text) };
      all.push({ status: await main(argv, io), out, err });
    }
    console.log(JSON.stringify(all));
  `;
  return JSON.parse(await runScript(script, {}, nodeFlags)) as Ended[];
};

/** A command that runs in a process of its own, as built. */
export interface Program {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it printed so far. */
  out(): string;
  /** The address that `serve --json` prints. */
  url(): Promise<string>;
}

export const startProgram = (argv: readonly string[], env: Env = {}): Program => {
  const child = spawn(process.execPath, [...nodeFlags, 'scripts/voucherd.mjs', ...argv], {
    cwd: root,
    env: childEnv(env),
  });
  // It ends with this process, however that ends.
  const killChild = (): void => void child.kill('SIGKILL');
  process.once('exit', killChild);
  child.once('exit', () => process.off('exit', killChild));
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => void (err += String(chunk)));
  const ended = once(child, 'close').then(() => ({ status: child.exitCode, out, err }));
  return {
    process: child,
    ended,
    out: () => out,
    url: () =>
      until(`an address in: ${argv.join(' ')}`, () => {
        if (child.exitCode !== null) throw new Error(`it ended: ${err}`);
        return /^\{"url":"([^"]+)"\}$/m.exec(out)?.[1];
      }),
  };
};

/** A command that failed as every command must: a status other than 0, one line on stderr, nothing on stdout. */
export const expectOneLine = ({ status, out, err }: Ended, line: RegExp | string): void => {
  expect(err).toMatch(/^[^\n]+\n$/);
  expect(err).toMatch(line);
  expect(out).toBe('');
  expect(status).not.toBe(0);
  expect(status).not.toBeNull();
};
