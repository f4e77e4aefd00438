declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex } from 'knex';

  /** knex's client for SQLite, which its types omit. */
  export default class SqliteClient extends Knex.Client {
    _query(connection: unknown, statement: object): Promise<unknown>;
  }
}

declare module 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js' {
  import type { Knex } from 'knex';

  interface SqliteTransaction extends Knex.Transaction {
    readonly trxClient: Knex.Client;
    begin(connection: unknown): Promise<void>;
  }

  /** knex's transaction for SQLite, which its types omit. */
  const transaction: new (client: unknown, ...settings: readonly unknown[]) => SqliteTransaction;
  export default transaction;
}
