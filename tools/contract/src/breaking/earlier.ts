import { execFile, execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, posix, resolve as resolvePath } from 'node:path';
import type { ReadContractFile } from '../../../../src/contract/files/contractFiles.js';

/** The contract as it was, and how to call it. */
export interface Earlier {
  readonly name: string;
  readonly source: string;
  /** Reads the files that it refers to, where they are not in its folder. */
  readonly readFile?: ReadContractFile;
}

/** There is nothing to compare with, for a reason that is no fault. */
export interface NoEarlier {
  readonly reason: string;
}

/** Longer than any answer takes. */
const patienceMs = 20_000;

/** Finds the contract to compare with. Throws when the one that was asked for can't be had. */
export const findEarlier = async (
  file: string,
  against: string | undefined,
): Promise<Earlier | NoEarlier> => {
  if (against === undefined) return lastRelease(file);
  if (/^https?:\/\//.test(against)) return download(against);
  if (existsSync(against) && statSync(against).isFile()) {
    return { name: against, source: await readFile(against, 'utf8') };
  }
  const { status, stdout, stderr } = await show(file, against);
  if (status !== 0) {
    const reason = stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`"${against}" is neither a file nor a git revision with ${basename(file)}: ${reason}`);
  }
  return { name: against, source: stdout, readFile: makeShowFile(file, against) };
};

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const git = (file: string, ...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile('git', args, { cwd: dirname(resolvePath(file)) }, (error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr: error && stderr === '' ? error.message : stderr }),
    );
  });

/** `rev:path` is taken as it is; otherwise the same file in that revision. */
const show = (file: string, revision: string): Promise<Ended> =>
  git(
    file,
    'show',
    '--end-of-options',
    revision.includes(':') ? revision : `${revision}:./${basename(file)}`,
  );

/** The other files of the contract, in the same revision. */
const makeShowFile = (file: string, revision: string): ReadContractFile => {
  const [name = '', given] = revision.split(/:(.*)/s);
  const folder = given === undefined ? '.' : posix.dirname(given);
  return (path) => {
    const inside = folder === '.' && given === undefined ? `./${path}` : posix.join(folder, path);
    const options = { cwd: dirname(resolvePath(file)), encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', ['show', '--end-of-options', `${name}:${inside}`], options);
  };
};

const lastRelease = async (file: string): Promise<Earlier | NoEarlier> => {
  const { status, stdout } = await git(file, 'rev-parse', '--is-shallow-repository');
  if (status !== 0) return { reason: 'this is no git checkout; name a contract with --against' };
  const tag = (await git(file, 'describe', '--tags', '--abbrev=0')).stdout.trim();
  for (const revision of [tag, stdout.trim() === 'true' ? '' : 'HEAD']) {
    if (revision === '') continue;
    const found = await show(file, revision);
    if (found.status === 0)
      return { name: revision, source: found.stdout, readFile: makeShowFile(file, revision) };
  }
  return {
    reason:
      stdout.trim() === 'true'
        ? 'this is a shallow checkout without a tag; fetch the history (fetch-depth: 0) or name a contract with --against'
        : 'the contract is not committed yet',
  };
};

const download = async (address: string): Promise<Earlier> => {
  const { origin, pathname } = new URL(address);
  // A query may hold a token; the name stands in reports.
  const name = `${origin}${pathname}`;
  const response = await fetch(address, { signal: AbortSignal.timeout(patienceMs) }).catch(
    (error: unknown) => {
      const cause =
        error instanceof Error && error.cause instanceof Error ? error.cause.message : 'no answer';
      throw new Error(`${name} cannot be reached: ${cause}`);
    },
  );
  if (!response.ok) throw new Error(`${name} answers ${response.status}`);
  const readFile = (): never => {
    throw new Error('a contract from an address must be one file');
  };
  return { name, source: await response.text(), readFile };
};
