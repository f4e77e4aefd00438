import { hasScope, makeApiKeyCache, prefixOf, type ApiKey } from '../apiKeys/apiKeys.js';
import {
  makeKeyUsageRecords,
  usageFlushIntervalMs,
  type KeyUsageCounter,
  type KeyUsageRecords,
} from '../apiKeys/keyUsage.js';
import { makeRateLimiter } from '../apiKeys/rateLimiter.js';
import type { AccessControl } from '../contract/runtime/request.js';
import { makeIntervalJob, type IntervalJob } from '../jobs/intervalJob.js';
import { makeHourlyCounter } from '../apiKeys/hourlyCounter.js';
import { refuseWhenUnavailable } from './operationOptions.js';
import type { Foundation } from './foundation.js';

/** Who may use the API: its keys, what each may do and how often, and what it did. */
export interface KeyAccess {
  /** What the operations of the API ask. */
  readonly options: {
    readonly access: AccessControl<ApiKey>;
    prefixOf(key: ApiKey): string;
    failed(key: ApiKey): void;
  };
  readonly keyUsage: KeyUsageRecords;
  readonly usageJob: IntervalJob;
  /** Starts looking for changes of keys by other processes. */
  watch(): void;
  stop(): Promise<void>;
}

export const makeKeyAccess = async ({ database, tables, system, log }: Foundation): Promise<KeyAccess> => {
  const keys = makeApiKeyCache({ table: tables.apiKeys, revisions: tables.revisions, system, log });
  await keys.load();
  const counter: KeyUsageCounter = makeHourlyCounter(system);
  const keyUsage = makeKeyUsageRecords(tables.keyUsage, counter, system);
  return {
    options: {
      access: refuseWhenUnavailable<ApiKey>({
        authenticate: keys.find,
        count: makeRateLimiter(database, system, counter).count,
        permits: hasScope,
        refused: ({ id }) => counter.count(id, 'refusals'),
      }),
      prefixOf,
      failed: ({ id }) => counter.count(id, 'failures'),
    },
    keyUsage,
    usageJob: makeIntervalJob('writing of key usage', keyUsage.flush, usageFlushIntervalMs, log),
    watch: keys.watch,
    stop: async () => {
      await keys.stop();
      await keyUsage.flush().catch((error: unknown) => {
        log.warn({ err: error }, 'the last requests of keys were not counted');
      });
    },
  };
};
