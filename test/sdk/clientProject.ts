import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/built.js';
import { startInForeground, type ForegroundCommand } from '../support/foreground.js';
import { strictOptions } from './strictOptions.js';

const run = promisify(execFile);

export const sdkScript = join(root, 'dist/scripts/sdk/main.js');

/** Generates a client as `npm run sdk` does, and returns its folder. */
export const generateClient = async (contract: string, name: string, folder: string): Promise<string> => {
  const out = join(folder, name);
  await run(process.execPath, [sdkScript, '--contract', contract, '--out', out, '--name', name]);
  return out;
};

/** Runs a program of somebody else with the address of a service, and returns the JSON that it prints. */
export type UseClient = (url: string) => Promise<Record<string, unknown>>;

/** Compiles a program that uses a generated client, with the strictest options. */
export const makeClientProject = async (
  contract: string,
  name: string,
  program: string,
  folder: string,
): Promise<UseClient> => {
  const client = await generateClient(contract, name, folder);
  const cwd = join(folder, `user-of-${name}`);
  await mkdir(join(cwd, 'node_modules'), { recursive: true });
  await symlink(client, join(cwd, 'node_modules', name));
  await writeFile(join(cwd, 'package.json'), '{"private":true,"type":"module"}');
  await writeFile(join(cwd, 'use.ts'), program);
  await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions: strictOptions }));
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
  await run(process.execPath, [compiler, '-p', cwd]).catch((error: unknown) => {
    throw new Error((error as { stdout: string }).stdout);
  });
  return async (url) => {
    const { stdout } = await run(process.execPath, ['use.js', url], { cwd });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
};

export const startMock = (
  contract: string,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ForegroundCommand> =>
  startInForeground(['mock', '--contract', contract], {
    ...{ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir },
    ...env,
  });
