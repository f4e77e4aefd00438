import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { describeHost, parsePostgresUrl, PostgresUrlError } from '../../database/postgresUrl.js';
import { CommandError, type Io } from '../io.js';
import { checkPlace, findMissingDatabase } from '../newDatabase.js';
import { readSecretOption } from '../secretInput.js';

/** A database that a command names. */
export interface DatabasePlace {
  readonly url: string;
  /** How it is called in messages, without secrets. */
  readonly label: string;
  /** The option that names it; undefined when the settings do. */
  readonly option?: string;
}

/** How an option names a database: itself, or as the file or the variable with the address. */
export interface GivenPlace {
  readonly place: string | undefined;
  readonly file: string | undefined;
  readonly env: string | undefined;
}

/** The source: a database that exists, by default that of the service. */
export const findSource = async (io: Io, config: Config, given: GivenPlace): Promise<DatabasePlace> => {
  const named = await readPlace(io, 'from', given);
  if (!named) {
    io.err(await checkPlace(io, config, 'refuse'));
    return { url: config.databaseUrl, label: describe(config.databaseUrl) };
  }
  assertExists(named, 'from');
  return named;
};

const assertExists = ({ url, label }: DatabasePlace, option: string): void => {
  if (findMissingDatabase({ databaseUrl: url }) !== undefined)
    throw new CommandError(
      'database-missing',
      `there is no database in ${label}: name one that exists with --${option}`,
    );
};

/** The target, which must be named. Only a copy may create it. */
export const findTarget = async (
  io: Io,
  given: GivenPlace,
  source: DatabasePlace,
  { mayBeNew }: { readonly mayBeNew: boolean },
): Promise<DatabasePlace> => {
  const named = await readPlace(io, 'to', given);
  if (!named)
    throw new CommandError(
      'option-missing',
      'the target is missing: give --to FILE for SQLite, or --to-file FILE or --to-env VAR with the address of a PostgreSQL',
    );
  if (identify(named) === identify(source))
    throw new CommandError('options-conflict', `source and target are the same database: ${named.label}`);
  if (!mayBeNew) assertExists(named, 'to');
  return named;
};

const readPlace = async (io: Io, option: string, given: GivenPlace): Promise<DatabasePlace | undefined> => {
  const { place, file, env } = given;
  if (place !== undefined) {
    if (file !== undefined || env !== undefined)
      throw new CommandError(
        'options-conflict',
        `--${option} and --${option}-${file === undefined ? 'env' : 'file'} exclude each other`,
      );
    return parsePlace(place, `--${option}`, true);
  }
  const address = await readSecretOption(io, { option, file, env });
  return address === undefined
    ? undefined
    : parsePlace(address, `--${option}-${file === undefined ? 'env' : 'file'}`, false);
};

const parsePlace = (text: string, option: string, isArgument: boolean): DatabasePlace => {
  if (/^postgres(?:ql)?:/.test(text)) {
    try {
      parsePostgresUrl(text);
    } catch (error) {
      if (!(error instanceof PostgresUrlError)) throw error;
      throw new CommandError('option-invalid', `${option}: "postgres:…" is not allowed: ${error.message}`);
    }
    if (isArgument && hasPassword(text))
      throw new CommandError(
        'option-invalid',
        `${option} must not hold the password, which other users of this machine could see: give ${option}-file FILE or ${option}-env VAR`,
      );
    return { url: text, label: describe(text), option };
  }
  // What has another scheme may hold a password.
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text))
    throw new CommandError(
      'option-invalid',
      `${option}: "…" is not allowed: a SQLite file, or postgres://USER@HOST/DATABASE`,
    );
  const url = `sqlite:${toSqliteFile(text.replace(/^sqlite:/, ''), option)}`;
  return { url, label: describe(url), option };
};

/** In the user information, or as a parameter of the driver. */
const hasPassword = (url: string): boolean =>
  /^\w+:\/\/[^:@/?#]*:[^/?#]*@/.test(url) || /[?&]password=/.test(url);

/** A folder is the `DATA_DIR` of a service. */
const toSqliteFile = (text: string, option: string): string => {
  const file = resolve(text);
  try {
    if (text.trim() === '') throw new Error('blank');
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() ? join(file, 'voucherd.sqlite') : file;
  } catch {
    throw new CommandError(
      'option-invalid',
      `${option}: "${text.slice(0, 40)}" is not allowed: no file can have this name`,
    );
  }
};

const describe = (url: string): string => {
  if (url.startsWith('sqlite:')) return resolve(url.slice('sqlite:'.length));
  const { hosts, database } = parsePostgresUrl(url);
  return `postgres://${hosts.map(describeHost).join(',')}/${database}`;
};

/** The same text for the same database, as far as that can be seen from here. */
const identify = ({ url, label }: DatabasePlace): string => {
  if (!url.startsWith('sqlite:')) return label;
  try {
    return realpathSync(label);
  } catch {
    try {
      return join(realpathSync(dirname(label)), basename(label));
    } catch {
      return label;
    }
  }
};
