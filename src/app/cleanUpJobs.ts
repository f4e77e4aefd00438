import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import type { Log } from '../log/log.js';
import type { Clock } from '../lib/system.js';
import { knownBrowserMs } from '../auth/knownBrowsers.js';
import { keptRequestMs } from '../guestPages/guestRequestTable.js';
import { removeEndedWindows } from '../rateLimit/windowCounter.js';
import type { Database } from '../database/database.js';
import type { Tables } from './tables.js';

const hourMs = 3_600_000;

interface CleanUpDeps {
  readonly database: Database;
  readonly tables: Tables;
  readonly system: Clock;
  readonly log: Log;
}

/**
 * Remove once an hour what has no use after its time. What people can look up is removed by the retention.
 */
export const makeCleanUpJobs = ({ database, tables, system, log }: CleanUpDeps): IntervalJob[] => {
  const tasks: Record<string, () => Promise<unknown>> = {
    'clean-up of idempotency keys': () => tables.idempotency.removeExpired(system.now()),
    'clean-up of guest requests': () => tables.guestRequests.removeBefore(system.now() - keptRequestMs),
    'clean-up of sign-ins': () => cleanUpAuth(database, tables, system.now()),
  };
  return Object.entries(tasks).map(([name, run]) => makeIntervalJob(name, run, hourMs, log));
};

/** Removes what is no longer needed: forgotten browsers, expired links, and ended windows of limits. */
export const cleanUpAuth = async (
  database: Database,
  tables: Pick<Tables, 'knownBrowsers' | 'accountTokens'>,
  now: number,
): Promise<void> => {
  await tables.knownBrowsers.removeBefore(now - knownBrowserMs);
  await tables.accountTokens.removeExpired(now);
  await removeEndedWindows(database, now);
};
