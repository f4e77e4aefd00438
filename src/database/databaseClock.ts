import type { Knex } from 'knex';
import type { Clock } from '../lib/system.js';
import type { Database } from './database.js';

/**
 * The current time as SQL, in milliseconds since 1970, for what processes share. PostgreSQL uses its own
 * clock, so the clocks of the processes need not agree; SQLite belongs to one process and uses that process's
 * clock.
 */
export const makeSqlNow = ({ dialect, write }: Database, clock: Clock): (() => Knex.Raw) =>
  dialect === 'postgres'
    ? () => write.raw('floor(extract(epoch from clock_timestamp()) * 1000)::bigint')
    : () => write.raw('?', [clock.now()]);

/** How often the offset is measured. Free-running clocks drift by at most a millisecond in this time. */
export const measureIntervalMs = 10_000;

/** The time of the database, readable without a query. */
interface DatabaseClock extends Clock {
  /** Measures the offset to the database's clock. */
  measure(): Promise<void>;
}

/**
 * Opens a clock that shows the time of the database. On PostgreSQL it runs on this process's monotonic clock
 * between measurements, so a wrong or changed system clock has no effect.
 */
export const openDatabaseClock = async (database: Database, clock: Clock): Promise<DatabaseClock> => {
  if (database.dialect === 'sqlite') return { now: clock.now, measure: () => Promise.resolve() };
  const databaseNow = makeSqlNow(database, clock);
  let offset: number | undefined;
  const measure = async (): Promise<void> => {
    const asked = performance.now();
    const [row] = await database.read.select<{ now: number }[]>(
      database.read.raw('? as now', [databaseNow()]),
    );
    if (!row) return;
    const answered = performance.now();
    // The server read its clock some time between question and answer. An offset within these bounds is kept:
    // a slow answer is imprecise and must not replace what a fast one has shown.
    const [least, most] = [row.now - answered, row.now - asked];
    offset = Math.min(Math.max(offset ?? (least + most) / 2, least), most);
  };
  // The first measurement includes opening a connection; the second one is more precise.
  await measure();
  await measure();
  return { now: () => Math.floor(performance.now() + (offset ?? 0)), measure };
};
