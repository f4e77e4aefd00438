import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The root of the checkout. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The environment of a child process: this one's, without the settings of voucherd, and what is given. */
export const childEnv = (env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  ...env,
});

/** Runs a script against the built program, in a process of its own, and returns what it printed. */
export const runScript = async (
  script: string,
  env?: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<string> => {
  const args = [...flags, '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env: childEnv(env) });
  return stdout;
};
