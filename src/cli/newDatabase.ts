import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../config/config.js';
import { toQuotedWord } from '../lib/commandLine.js';
import { wouldBelongToRoot } from '../lib/privateFiles.js';
import { CommandError, type Io } from './io.js';

/** What a command does when there is no database yet: usually `serve` creates it. */
export type WithoutDatabase = 'refuse' | 'ask' | 'create';

/** The option of commands that may create a database. */
export const createDatabaseOption = ['--yes', 'create a database when there is none'] as const;

export const whenGivenYes = (yes: boolean | undefined): WithoutDatabase => (yes ? 'create' : 'ask');

/** Did the operator say where the data is? */
export const isPlaceGiven = (env: Io['env']): boolean =>
  Boolean(env['DATA_DIR'] || env['DATABASE_URL'] || env['DATABASE_URL_FILE']);

/** The file of the database; undefined for PostgreSQL, where an address names one that exists. */
export const sqliteFile = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): string | undefined => {
  const [, file] = /^sqlite:(.+)/.exec(databaseUrl) ?? [];
  return file === undefined ? undefined : resolve(file);
};

const isMissing = (file: string): boolean => {
  try {
    return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  } catch {
    // It can't be looked at: opening it will say why.
    return false;
  }
};

/** The folder in which a database is missing; undefined when there is one. */
export const findMissingDatabase = (config: Pick<Config, 'databaseUrl'>): string | undefined => {
  const file = sqliteFile(config);
  return file !== undefined && isMissing(file) ? dirname(file) : undefined;
};

/**
 * Chooses where a command works when DATA_DIR is not set. Refuses, or asks, when that would create a
 * database: a running service has another one, and would not know what is created here. Returns the notice to
 * print when the place has proved to be usable.
 */
export const checkPlace = async (io: Io, config: Config, without: WithoutDatabase): Promise<string> => {
  const isGiven = isPlaceGiven(io.env);
  const missing = findMissingDatabase(config);
  if (missing === undefined) return isGiven ? '' : `DATA_DIR is not set: working on ${config.dataDir}\n`;
  const problem = `there is no database in ${missing}${isGiven ? '' : ' (DATA_DIR is not set)'}`;
  const remedy = 'set DATA_DIR to that of the service, or start the service, which creates one';
  if (without === 'refuse') throw new CommandError('database-missing', `${problem}: ${remedy}`);
  const isAllowed =
    without === 'create' ||
    (io.input?.isTTY === true && (await isConfirmed(io, io.input, `${problem}. Create one there?`)));
  if (!isAllowed)
    throw new CommandError('database-missing', `${problem}: ${remedy}, or give --yes to create one there`);
  return `making a new database in ${missing}\n${wouldBelongToRoot(missing) ? rootHint(missing) : ''}`;
};

/** Says how to give a folder that root has made to the user of the service. */
export const rootHint = (folder: string): string =>
  `it belongs to root; for a service of another user: chown -R USER ${toQuotedWord(folder)}\n`;

/** Asks a question at the terminal; only `y` or `yes` confirms. */
const isConfirmed = (io: Io, input: NonNullable<Io['input']>, question: string): Promise<boolean> => {
  io.err(`${question} [y/N] `);
  const lines = createInterface({ input });
  return new Promise((confirm) => {
    lines.once('line', (line) => {
      confirm(/^y(es)?$/i.test(line.trim()));
      lines.close();
    });
    // At the end of input there was no line; after one, the promise has settled already.
    lines.once('close', () => confirm(false));
  });
};
