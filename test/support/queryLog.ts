import type { Knex } from 'knex';
import type { Database } from '../../src/database/database.js';

export interface Query {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** What some work asks a database, in its own SQL. */
export const queriesOf = async (
  { read, scan, write }: Database,
  work: () => Promise<unknown>,
): Promise<Query[]> => {
  const queries: Query[] = [];
  const note = (query: Query): void => void queries.push(query);
  // On PostgreSQL all are one.
  const pools = new Set([read, scan, write]);
  for (const pool of pools) pool.on('query', note);
  try {
    await work();
  } finally {
    for (const pool of pools) pool.removeListener('query', note);
  }
  return queries;
};

/** The SQL statements that some work sends to a database. */
export const statementsOf = async (database: Database, work: () => Promise<unknown>): Promise<string[]> =>
  (await queriesOf(database, work)).map(({ sql }) => sql);
