import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type Database } from '../../src/storage/database.js';

/** How much of what creations leave behind is in a data file. */
export interface Recorded {
  readonly vouchers: number;
  readonly notifications: number;
  readonly intents: number;
}

/** The load ends in the middle of requests; what is under way then is finished within this time. */
const patienceMs = 5_000;

/** Counts once no intent is left, or after some seconds all the same. */
export const countRecorded = async (file: string): Promise<Recorded> => {
  const database = openDatabase(`sqlite:${file}`);
  try {
    const until = performance.now() + patienceMs;
    for (;;) {
      const recorded = await count(database);
      if (recorded.intents === 0 || performance.now() > until) return recorded;
      await sleep(50);
    }
  } finally {
    await database.close();
  }
};

/** One statement, and so one moment: the file may still be written to. */
const count = async ({ read }: Database): Promise<Recorded> => {
  const rowsOf = (table: string) => read(table).count('*').as(table);
  const [row] = await read.select<Recorded[]>(rowsOf('vouchers'), rowsOf('notifications'), rowsOf('intents'));
  return row ?? { vouchers: 0, notifications: 0, intents: 0 };
};

/** Every creation that was answered must be recorded and announced; those cut off at the end may be as well. */
export const recordedFaults = (
  name: string,
  before: Recorded,
  after: Recorded,
  created: number,
): string[] => {
  const vouchers = after.vouchers - before.vouchers;
  const notifications = after.notifications - before.notifications;
  return [
    ...(vouchers < created ? [`create, ${name}: ${created} answered, ${vouchers} recorded`] : []),
    ...(vouchers !== notifications
      ? [`create, ${name}: ${vouchers} vouchers, ${notifications} notifications`]
      : []),
    ...(after.intents > 0 ? [`create, ${name}: ${after.intents} intents left`] : []),
  ];
};
