import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import type { Log } from '../log/log.js';
import type { Clock } from '../lib/system.js';
import { cleanUpAuth } from '../auth/cleanUp.js';
import type { Database } from '../database/database.js';
import type { Tables } from './tables.js';

const hourMs = 3_600_000;

interface CleanUpDeps {
  readonly database: Database;
  readonly tables: Tables;
  readonly system: Clock;
  readonly log: Log;
}

/** Remove once an hour what has no use after its time. What people can look up is removed by the retention. */
export const makeCleanUpJobs = ({ database, tables, system, log }: CleanUpDeps): IntervalJob[] => {
  const tasks: Record<string, () => Promise<unknown>> = {
    'clean-up of idempotency keys': () => tables.idempotency.removeExpired(system.now()),
    'clean-up of sign-ins': () => cleanUpAuth(database, tables, system.now()),
  };
  return Object.entries(tasks).map(([name, run]) => makeIntervalJob(name, run, hourMs, log));
};
