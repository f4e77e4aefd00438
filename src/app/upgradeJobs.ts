import type { Config } from '../config/config.js';
import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import type { Log } from '../log/log.js';
import type { System } from '../lib/system.js';
import { bindStoredSecrets } from '../secrets/rotation.js';
import type { Database } from '../database/database.js';
import { hasEarlierProcesses } from '../database/earlierProcesses.js';
import type { Tables } from './tables.js';

const fillWordsIntervalMs = 5000;
const completeWordsIntervalMs = 60_000;
/** When nothing was found for so long, no earlier version is running any more. A start looks again. */
const quietRunsAtEnd = 60;
const bindSecretsIntervalMs = 60_000;

interface UpgradeDeps {
  readonly config: Config;
  readonly database: Database;
  readonly tables: Pick<Tables, 'sealed' | 'missingWords' | 'outdatedWords'>;
  readonly system: System;
  readonly log: Log;
}

/**
 * What an upgrade leaves to be done while services of an earlier version may still run beside this one: completing what
 * they record, and changing what they could not read once they are gone. What can be done now is done before it resolves.
 */
export const startUpgrade = async ({
  config,
  database,
  tables,
  system,
  log,
}: UpgradeDeps): Promise<IntervalJob[]> => {
  // With SQLite this process has the lock that every service needs.
  const hasEarlier = (): Promise<boolean> =>
    database.dialect === 'sqlite' ? Promise.resolve(false) : hasEarlierProcesses(database);
  const bindSecrets = async (): Promise<void> => {
    const bound = await bindStoredSecrets(config, tables.sealed, hasEarlier, system);
    if (bound > 0) log.info({ values: bound }, 'stored secrets bound to their records');
  };
  let quietRuns = 0;
  const completeWords = async (): Promise<void> => {
    if (quietRuns >= quietRunsAtEnd) return;
    const completed = await tables.outdatedWords.complete();
    quietRuns = completed === 0 ? quietRuns + 1 : 0;
    if (completed > 0) log.info({ vouchers: completed }, 'search words completed');
  };
  await bindSecrets();
  return [
    makeIntervalJob('binding of stored secrets', bindSecrets, bindSecretsIntervalMs, log),
    makeIntervalJob('completing of search words', tables.missingWords.fill, fillWordsIntervalMs, log),
    makeIntervalJob('completing of spellings', completeWords, completeWordsIntervalMs, log),
  ];
};
