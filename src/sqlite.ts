import knex, { type Knex } from 'knex';

interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
}

const say = (): void => undefined;

/** knex would write plain lines to standard output; what it has to say comes as rejected promises too. */
export const quietLog: Knex.Logger = { warn: say, error: say, deprecate: say, debug: say };

/** Opens a SQLite file with at most `max` connections, each of which begins with the pragmas. */
export const openSqliteFile = (filename: string, max: number, pragmas: string): Knex =>
  knex({
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    compileSqlOnError: false,
    log: quietLog,
    pool: {
      min: 0,
      max,
      afterCreate: (
        connection: SqliteConnection,
        done: (error: Error | null, connection: unknown) => void,
      ) => {
        connection.exec(`PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; ${pragmas}`, (error) => {
          done(error, connection);
        });
      },
    },
  });
