import type { Knex } from 'knex';
import type { Clock } from '../lib/system.js';
import type { Database } from './database.js';

/**
 * The time that decides what processes share, as SQL, in milliseconds since 1970: with PostgreSQL its own, whatever
 * the clocks of the processes say. SQLite belongs to one process, whose clock it is.
 */
export const makeSqlNow = ({ dialect, write }: Database, clock: Clock): (() => Knex.Raw) =>
  dialect === 'postgres'
    ? () => write.raw('floor(extract(epoch from clock_timestamp()) * 1000)::bigint')
    : () => write.raw('?', [clock.now()]);

/** How often the database is asked. Clocks that are let run are off by a millisecond after that at most. */
export const measureIntervalMs = 10_000;

/** The time of the database, to be read without asking it. */
interface DatabaseClock extends Clock {
  /** Asks the database what time it is. */
  measure(): Promise<void>;
}

/**
 * A clock that shows the time of the database. Between two measurements a PostgreSQL's time is told by this process's
 * monotonic clock, so that it does not matter what its own clock says or when somebody sets it.
 */
export const openDatabaseClock = async (database: Database, clock: Clock): Promise<DatabaseClock> => {
  if (database.dialect === 'sqlite') return { now: () => clock.now(), measure: () => Promise.resolve() };
  const databaseNow = makeSqlNow(database, clock);
  let offset: number | undefined;
  const measure = async (): Promise<void> => {
    const asked = performance.now();
    const [row] = await database.read.select<{ now: number }[]>(
      database.read.raw('? as now', [databaseNow()]),
    );
    if (!row) return;
    const answered = performance.now();
    // It said so at some moment between the question and the answer. What fits that is left as it is: a slow answer
    // proves little, and must not spoil what a quick one has told.
    const [least, most] = [row.now - answered, row.now - asked];
    offset = Math.min(Math.max(offset ?? (least + most) / 2, least), most);
  };
  // The first answer comes after a connection was made; the second one comes sooner and tells more.
  await measure();
  await measure();
  return { now: () => Math.floor(performance.now() + (offset ?? 0)), measure };
};
