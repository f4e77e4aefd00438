import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { measureIntervalMs, openDatabaseClock } from '../database/databaseClock.js';
import { migrate } from '../database/migrator.js';
import { makeRevisions, rememberRevisions } from '../database/revisions.js';
import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import { newId, nodeSystem, type System } from '../lib/system.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Secrets } from '../secrets/encryption.js';
import { makeRotationSafeWriter, type RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import { openStoredSecrets } from '../secrets/secretKey.js';
import type { Tracer } from '../tracing/tracer.js';
import { makeCleanUpJobs } from './cleanUpJobs.js';
import type { StartAppOptions } from './runningApp.js';
import { makeTables, type Tables } from './tables.js';

/** What all parts of a service use. */
export interface Foundation {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Records traces, where somebody wants them. */
  readonly tracer: Tracer | undefined;
  readonly database: Database;
  readonly tables: Tables;
  /** With the database's clock: processes that share a database write and compare times by it. */
  readonly system: System;
  /** Identifies this process as the owner of a lease. */
  readonly owner: string;
  secrets(): Secrets;
  readonly rotationSafeWriter: RotationSafeWriter;
  /** Keep clock, revisions and tables in order. */
  readonly databaseJobs: readonly IntervalJob[];
}

/** Migrates the database, and makes what all parts use of it. */
export const layFoundation = async (
  { config, log, tracer, system: given = nodeSystem }: StartAppOptions,
  database: Database,
  metrics: Metrics,
): Promise<Foundation> => {
  const migrated = await migrate(database, {
    onBegin: (name) =>
      log.info({ migration: name }, 'migrating the database: with many records this takes a while'),
    onBlocked: (name) =>
      log.warn(
        { migration: name },
        'waiting for a lock: another session, for instance a backup, uses the table',
      ),
  });
  if (migrated.length > 0) log.info({ migrations: migrated }, 'database migrated');
  const clock = await openDatabaseClock(database, given);
  const system: System = { ...given, now: clock.now };
  // With SQLite this process is the only service on the file.
  const remembered =
    database.dialect === 'sqlite' ? rememberRevisions(database, makeRevisions(database)) : undefined;
  const tables = makeTables(database, system, remembered);
  const databaseJobs = [
    makeIntervalJob('database clock', clock.measure, measureIntervalMs, log),
    ...makeCleanUpJobs({ database, tables, system, log }),
  ];
  if (remembered) databaseJobs.push(makeIntervalJob('look for changes', remembered.check, 250, log));
  return {
    config,
    log,
    metrics,
    tracer,
    database,
    tables,
    system,
    owner: newId(system),
    secrets: () => openStoredSecrets(config, system),
    rotationSafeWriter: makeRotationSafeWriter(config, tables.sealed, system),
    databaseJobs,
  };
};
