declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex } from 'knex';

  /** knex's client for SQLite, which its types omit. */
  export default class SqliteClient extends Knex.Client {
    _query(connection: unknown, statement: object): Promise<unknown>;
  }
}
