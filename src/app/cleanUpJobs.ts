import type { KeyUsageRecords } from '../apiKeys/keyUsage.js';
import type { Config } from '../config.js';
import { makeIntervalJob, type IntervalJob } from '../lib/intervalJob.js';
import type { Log } from '../log/log.js';
import type { Clock } from '../lib/system.js';
import { cleanOutboxes } from '../webhooks/notifications.js';
import { cleanPeople } from '../auth/cleanUp.js';
import type { Database } from '../database/database.js';
import type { Storage } from './tables.js';
import { keptOrdersMs } from '../vouchers/deskOrders.js';

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
