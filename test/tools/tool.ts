import { execFile } from 'node:child_process';
import { root } from '../support/built.js';

/** How a tool ended, and what it printed. */
export interface ToolRun {
  readonly status: number;
  readonly out: string;
}

/** Runs a program to its end, whatever its status. */
export const runTool = (
  command: string,
  args: readonly string[],
  { cwd = root, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<ToolRun> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(command, args, options, (error, stdout, stderr) => {
      // A status is a number, and what kept it from starting is a text.
      if (error && typeof error.code !== 'number') reject(new Error(error.message));
      else resolve({ status: error ? Number(error.code) : 0, out: stdout || stderr });
    });
  });
