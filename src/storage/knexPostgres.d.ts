declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';

  /** knex's client for PostgreSQL, which its types omit. */
  const PostgresClient: typeof Knex.Client;
  export default PostgresClient;
}
