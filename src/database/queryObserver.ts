import type { Knex } from 'knex';

/** A statement, as it is about to be sent to the database. */
export interface ObservedQuery {
  /** Its connections: `read`, `scan` and `write` with SQLite, `main` and `scan` with PostgreSQL. */
  readonly pool: string;
  /** With placeholders instead of values. */
  readonly sql: string;
}

/** Runs a statement and sees how it ends, for metrics and traces. */
export type ObserveQuery = <T>(query: ObservedQuery, run: () => Promise<T>) => Promise<T>;

/** The part of a client's settings that it looks for when it runs a statement. */
export interface ObservedClientConfig {
  readonly pool: string;
  readonly observe: ObserveQuery;
}

/** Runs a statement of a client, observed if somebody observes. */
export const runObserved = <T>(
  observed: ObservedClientConfig | undefined,
  statement: object,
  run: () => Promise<T>,
): Promise<T> => {
  if (!observed) return run();
  const { sql = '' } = statement as { readonly sql?: string };
  return observed.observe({ pool: observed.pool, sql }, run);
};

/** How many connections of a pool are in use. */
export interface PoolLoad {
  readonly pool: string;
  readonly used: number;
  readonly free: number;
  readonly max: number;
  /** How many wait for a connection. */
  readonly waiting: number;
}

/** knex's pool, which its types omit. */
interface TarnPool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** The load of a pool now. A pool that is closed has none. */
export const readPoolLoad = (pool: string, db: Knex): PoolLoad => {
  const { pool: tarn } = db.client as { readonly pool?: TarnPool };
  return {
    pool,
    used: tarn?.numUsed() ?? 0,
    free: tarn?.numFree() ?? 0,
    max: tarn?.max ?? 0,
    waiting: tarn?.numPendingAcquires() ?? 0,
  };
};
