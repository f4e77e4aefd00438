import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './root.js';

/** What a program left. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunSettings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end. Rejects when it can't be started. */
export const runProgram = (
  command: string,
  args: readonly string[],
  { cwd = root, env = {} }: RunSettings = {},
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (status) =>
      resolve({
        status,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
  });

/** Runs a program of node_modules with this Node: `runTool('@redocly/cli/bin/cli.js', ['lint'])`. */
export const runTool = (path: string, args: readonly string[], settings?: RunSettings): Promise<Ended> =>
  runProgram(process.execPath, [join(root, 'node_modules', path), ...args], settings);
