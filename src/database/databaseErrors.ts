import { dirname } from 'node:path';
import { types } from 'node:util';
import { describeHost, parsePostgresUrl, type PostgresUrl } from './postgresUrl.js';
import { DatabaseUnavailable } from './unavailable.js';
import { errorCode } from '../lib/errorCode.js';
import { DatabaseError } from './database.js';
import { loadDriver } from './postgresClient.js';

/** What is wrong with the database, and what an operator can do about it. */
export interface DatabaseDiagnosis {
  readonly message: string;
  readonly remedy: string;
}

/** The settings that say where the database is. */
export interface DatabaseLocation {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** What names the database, when it is not a setting: an option of a command. */
  readonly option?: string;
}

/**
 * Rewords a database error so that it names the setting and the next step.
 * Other errors are returned unchanged.
 */
export const explainDatabaseError = (error: unknown, location: DatabaseLocation): unknown => {
  const diagnosis = diagnoseDatabaseError(error, location);
  return diagnosis
    ? new DatabaseError('not-usable', `${diagnosis.message}: ${diagnosis.remedy}`, {
        kind: 'unavailable',
        cause: error,
      })
    : error;
};

/** Recognises the database errors that operators meet; `undefined` for all others. */
export const diagnoseDatabaseError = (
  error: unknown,
  location: DatabaseLocation,
): DatabaseDiagnosis | undefined =>
  location.databaseUrl.startsWith('sqlite:')
    ? diagnoseSqliteError(error, location)
    : diagnosePostgresError(error, parsePostgresUrl(location.databaseUrl), location.option ?? 'DATABASE_URL');

const diagnoseSqliteError = (
  error: unknown,
  { databaseUrl, dataDir, option }: DatabaseLocation,
): DatabaseDiagnosis | undefined => {
  const file = databaseUrl.slice('sqlite:'.length);
  const setting = option ?? (file.startsWith(dataDir) ? 'DATA_DIR' : 'DATABASE_URL');
  const code = errorCode(error);
  const mayNotUse = {
    message: `${file} cannot be opened`,
    remedy: `let this user read and write the file and its folder, or set ${setting} to another`,
  };
  switch (code) {
    case 'SQLITE_CANTOPEN':
      return mayNotUse;
    case 'SQLITE_READONLY':
    case 'SQLITE_PERM':
      return { ...mayNotUse, message: `${file} can only be read` };
    case 'SQLITE_NOTADB':
      return {
        message: `${file} is no SQLite database`,
        remedy: `move it away, put a copy in its place, or set ${setting} to another`,
      };
    case 'SQLITE_CORRUPT':
      return { message: `${file} is damaged`, remedy: 'stop the service and put a copy in its place' };
    case 'SQLITE_FULL':
    case 'ENOSPC':
      return {
        message: `the disk of ${file} is full`,
        remedy: `free some room there, or set ${setting} to another`,
      };
    case 'SQLITE_IOERR':
      return { message: `${file} cannot be read or written`, remedy: 'check the disk it is on' };
    case 'SQLITE_BUSY':
      return { message: `${file} is locked by another program`, remedy: 'end that program, or try again' };
  }
  if (isDriverMissing(error))
    return {
      message: 'sqlite3 is installed without its compiled part',
      remedy:
        'let npm run its install script (npm install-scripts approve sqlite3, from npm 12 on), then: npm rebuild sqlite3',
    };
  if (isFrom(error, 'mkdir'))
    return {
      message: `the folder ${dirname(file)} can't be created (${code})`,
      remedy: `create it and let this user write to it, or set ${setting} to another`,
    };
  return undefined;
};

/** npm may have been told to run no install scripts, or the file is one of another platform. */
const isDriverMissing = (error: unknown): boolean =>
  types.isNativeError(error) &&
  (errorCode(error) === 'ERR_DLOPEN_FAILED' || error.message.includes('Could not locate the bindings file'));

const diagnosePostgresError = (
  error: unknown,
  address: PostgresUrl,
  setting: string,
): DatabaseDiagnosis | undefined => {
  // Only errors of the database: a controller may refuse a connection too.
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  if (cause === error && !(error instanceof loadDriver().DatabaseError)) return undefined;
  const { host, user, database } = address;
  const server = `PostgreSQL at ${describeHost(address)}`;
  const code = errorCode(cause);
  switch (code) {
    case 'ECONNREFUSED':
      return { message: `${server} refuses connections`, remedy: `start it, or correct ${setting}` };
    case 'ENOENT':
      return { message: `${server} does not run there`, remedy: `start it, or correct ${setting}` };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        message: `there is no host "${host}"`,
        remedy: `correct it in ${setting}, or check DNS`,
      };
    case '28P01':
    case '28000':
      return {
        message: `${server} does not let "${user}" in`,
        remedy: `correct user and password in ${setting}, or allow it in pg_hba.conf`,
      };
    case '3D000':
      return {
        message: `${server} has no database "${database}"`,
        remedy: `create it, or correct its name in ${setting}`,
      };
    case '53300':
      return {
        message: `${server} has no connection left for "${user}"`,
        remedy: 'lower DATABASE_POOL_MAX of the processes that share it, or raise its limit',
      };
    case '57P01':
    case '57P02':
    case '57P03':
      return { message: `${server} is starting or stopping`, remedy: 'try again in a moment' };
    case '25006':
      return {
        message: `${server} can only be read`,
        remedy: `name the server that is written to in ${setting}`,
      };
    case '42501':
      return {
        message: `"${user}" may not do that in the database "${database}"`,
        remedy: `make it the owner, or name another user in ${setting}`,
      };
    case '53100':
      return { message: `the disk of ${server} is full`, remedy: 'free some room there' };
  }
  if (error !== cause && /SASL|password must be a string/.test(messageOf(cause)))
    return { message: `${server} asks for a password`, remedy: `give one in ${setting}` };
  if (error !== cause && /SSL|certificate|CERT/.test(messageOf(cause) + code))
    return {
      message: `no encrypted connection to ${server}: ${messageOf(cause)}`,
      remedy: `correct sslmode or sslrootcert in ${setting}`,
    };
  if (error !== cause)
    return {
      message: `${server} does not answer`,
      remedy: `check that it runs, the network in between, and ${setting}`,
    };
  return undefined;
};

const isFrom = (error: unknown, syscall: string): boolean =>
  types.isNativeError(error) && 'syscall' in error && error.syscall === syscall;

const messageOf = (error: unknown): string => (types.isNativeError(error) ? error.message : '');
