import { hourMs, hourOf, type HourlyCounter } from './hourlyCounter.js';
import type { Clock } from '../lib/system.js';
import { maxUsagesPerStatement, type KeyUsage, type KeyUsageTable } from './keyUsageTable.js';

export type { KeyUsage };

/** The requests of keys by hour: counted in memory, and every few seconds added to the database. */
export interface KeyUsageRecords {
  /** Writes what was counted since the last time. */
  flush(): Promise<void>;
  /** The last 24 hours of all keys, oldest first. */
  lastDay(): Promise<KeyUsage[]>;
}

/**
 * Counts all requests of a key, those that its limit or its scope refuses, and those that fail unexpectedly.
 */
export type KeyUsageCounter = HourlyCounter<'requests' | 'refusals' | 'failures'>;

/** How often a process writes what it has counted. */
export const usageFlushIntervalMs = 5000;

/** More keys and hours wait only if the database is down for long; further ones are then lost. */
const maxWaiting = 10_000;

export const makeKeyUsageRecords = (
  table: KeyUsageTable,
  counter: KeyUsageCounter,
  clock: Clock,
): KeyUsageRecords => {
  let waiting: KeyUsage[] = [];
  let flushing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const counted = counter.take().map(({ id, hour, events }) => ({
      keyId: id,
      hour,
      requests: events.get('requests') ?? 0,
      refusals: events.get('refusals') ?? 0,
      failures: events.get('failures') ?? 0,
    }));
    waiting = mergeUsages([...waiting, ...counted]).slice(0, maxWaiting);
    // After an error they are retried. A lost answer may count them twice, which does not matter in a plot.
    while (waiting.length > 0) {
      await table.add(waiting.slice(0, maxUsagesPerStatement));
      waiting = waiting.slice(maxUsagesPerStatement);
    }
  };

  const flush = (): Promise<void> => (flushing = flushing.catch(() => undefined).then(write));

  return {
    flush,
    lastDay: async () => {
      await flush();
      return table.since(hourOf(clock.now()) - 23 * hourMs);
    },
  };
};

/** A statement may have each key and hour only once. */
const mergeUsages = (usages: readonly KeyUsage[]): KeyUsage[] => {
  const merged = new Map<string, KeyUsage>();
  for (const usage of usages) {
    const name = `${String(usage.keyId)} ${String(usage.hour)}`;
    const { requests, refusals, failures } = merged.get(name) ?? { requests: 0, refusals: 0, failures: 0 };
    merged.set(name, {
      ...usage,
      requests: requests + usage.requests,
      refusals: refusals + usage.refusals,
      failures: failures + usage.failures,
    });
  }
  return [...merged.values()];
};
