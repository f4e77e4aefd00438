import pg from 'pg';
import { makeClock } from './clock.js';

/** A database's clock that stands still until it is moved. */
export interface TestDatabaseClock {
  now(): number;
  set(now: number): Promise<void>;
  advance(ms: number): Promise<void>;
}

/**
 * Takes the clock of a database in hand; connections that are opened afterwards go by it. SQLite goes by its process's
 * clock, which is this one then. In a PostgreSQL a function of the same name comes before the server's.
 */
export const holdDatabaseClock = async (url: string, start?: number): Promise<TestDatabaseClock> => {
  const clock = makeClock(start);
  const tell = url.startsWith('sqlite:') ? () => Promise.resolve() : await holdPostgres(url, clock.now);
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await tell();
  };
  return { now: clock.now, advance, set: (now) => advance(now - clock.now()) };
};

const holdPostgres = async (url: string, now: () => number): Promise<() => Promise<void>> => {
  await query(
    url,
    `do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`,
  );
  const tell = (): Promise<void> =>
    query(
      url,
      `create or replace function public.clock_timestamp() returns timestamptz language sql volatile
       as 'select to_timestamp(${String(now())} / 1000.0)'`,
    );
  await tell();
  return tell;
};

const query = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};
