declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';

  /** knex's client for PostgreSQL, which its types omit. */
  export default class PostgresClient extends Knex.Client {
    _query(connection: unknown, statement: object): Promise<unknown>;
  }
}
