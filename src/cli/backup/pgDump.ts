import { parsePostgresUrl } from '../../database/postgresUrl.js';
import { toShellWord } from '../../lib/commandLine.js';

/** How the tools of PostgreSQL are told where the database is. Without the password, which they ask for. */
const formatConnection = (databaseUrl: string): string[] => {
  const { host, port, user, database } = parsePostgresUrl(databaseUrl);
  return [
    `--host=${toShellWord(host)}`,
    `--port=${port}`,
    ...(user === '' ? [] : [`--username=${toShellWord(user)}`]),
    ...(database === '' ? [] : [`--dbname=${toShellWord(database)}`]),
  ];
};

/** The command that makes a backup of a PostgreSQL. */
export const formatPgDump = (databaseUrl: string, file: string): string =>
  [
    'pg_dump',
    '--format=custom',
    '--no-owner',
    `--file=${toShellWord(file)}`,
    ...formatConnection(databaseUrl),
  ].join(' ');

/** The command that restores such a backup into an empty database. */
export const formatPgRestore = (databaseUrl: string, file: string): string =>
  [
    ...['pg_restore', '--no-owner', '--exit-on-error', '--single-transaction'],
    ...formatConnection(databaseUrl),
    toShellWord(file),
  ].join(' ');
