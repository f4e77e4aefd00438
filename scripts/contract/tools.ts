import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/packageRoot.js';

/** What a program left. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunSettings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end. Rejects when it can't be started. */
export const spawnToEnd = (
  command: string,
  args: readonly string[],
  { cwd = packageRoot, env = {} }: RunSettings = {},
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

/** Gives texts to programs that only read files; the files are gone afterwards. */
export const withFiles = async <T>(
  files: Readonly<Record<string, string>>,
  use: (paths: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'voucherd-contract-'));
  try {
    const paths: Record<string, string> = {};
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      await writeFile(path, text);
      paths[name] = path;
    }
    return await use(paths);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
