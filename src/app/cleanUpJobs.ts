import type { KeyUsageRecords } from '../access/keyUsage.js';
import type { Config } from '../config.js';
import { makeIntervalJob, type IntervalJob } from '../lib/intervalJob.js';
import type { Log } from '../lib/log.js';
import type { Clock } from '../lib/system.js';
import { cleanOutboxes } from '../notifications/notifications.js';
import { cleanPeople } from '../people/cleanUp.js';
import type { Database } from '../storage/database.js';
import type { Storage } from '../storage/storage.js';
import { keptOrdersMs } from '../vouchers/placedOrders.js';

const hourMs = 3_600_000;

interface CleanUpDeps {
  readonly config: Pick<Config, 'auditDays'>;
  readonly database: Database;
  readonly storage: Storage;
  readonly system: Clock;
  readonly keyUsage: KeyUsageRecords;
  readonly log: Log;
}

/** Remove once an hour what is no longer needed. */
export const makeCleanUpJobs = ({
  config: { auditDays },
  database,
  storage,
  system,
  keyUsage,
  log,
}: CleanUpDeps): IntervalJob[] => {
  const tasks: Record<string, () => Promise<unknown>> = {
    'clean-up of idempotency keys': () => storage.idempotency.removeExpired(system.now()),
    'clean-up of orders': () => storage.orders.removeBefore(system.now() - keptOrdersMs),
    'clean-up of deliveries': () => cleanOutboxes(storage, system.now()),
    'clean-up of audit log and sessions': () =>
      cleanPeople(database, storage, { auditDays, now: system.now() }),
    'clean-up of key usage': keyUsage.clean,
  };
  return Object.entries(tasks).map(([name, run]) => makeIntervalJob(name, run, hourMs, log));
};
