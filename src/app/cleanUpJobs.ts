import type { KeyUsageRecords } from '../apiKeys/keyUsage.js';
import type { Config } from '../config/config.js';
import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import type { Log } from '../log/log.js';
import type { Clock } from '../lib/system.js';
import { cleanDeliveries } from '../webhooks/notifications.js';
import { cleanUpAuth } from '../auth/cleanUp.js';
import type { Database } from '../database/database.js';
import type { Tables } from './tables.js';
import { keptEmailsMs } from '../email/emails.js';
import { keptOrdersMs } from '../vouchers/deskOrders.js';

const hourMs = 3_600_000;

interface CleanUpDeps {
  readonly config: Pick<Config, 'auditDays'>;
  readonly database: Database;
  readonly tables: Tables;
  readonly system: Clock;
  readonly keyUsage: KeyUsageRecords;
  readonly log: Log;
}

/** Remove once an hour what is no longer needed. */
export const makeCleanUpJobs = ({
  config: { auditDays },
  database,
  tables,
  system,
  keyUsage,
  log,
}: CleanUpDeps): IntervalJob[] => {
  const tasks: Record<string, () => Promise<unknown>> = {
    'clean-up of idempotency keys': () => tables.idempotency.removeExpired(system.now()),
    'clean-up of orders': () => tables.orders.removeBefore(system.now() - keptOrdersMs),
    'clean-up of deliveries': () => cleanDeliveries(tables, system.now()),
    'clean-up of e-mails': () => tables.emails.clean(system.now() - keptEmailsMs),
    'clean-up of audit log and sessions': () =>
      cleanUpAuth(database, tables, { auditDays, now: system.now() }),
    'clean-up of key usage': keyUsage.clean,
  };
  return Object.entries(tasks).map(([name, run]) => makeIntervalJob(name, run, hourMs, log));
};
