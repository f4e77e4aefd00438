import type { AccessControl } from '../contract/runtime/request.js';
import type { Clock } from '../lib/system.js';
import { maxUsagesPerStatement, type KeyUsage, type KeyUsageTable } from '../storage/keyUsage.js';
import type { ApiKey } from './apiKeys.js';

export type { KeyUsage };

/** Counts the requests of keys by hour: in memory, and every few seconds in the database. */
export interface KeyUsageCounter {
  countRequest(keyId: number): void;
  countRefusal(keyId: number): void;
  /** Writes what was counted since the last time. */
  flush(): Promise<void>;
  /** The last 24 hours of all keys, oldest first. */
  lastDay(): Promise<KeyUsage[]>;
  /** Removes hours that nobody looks at any more. */
  clean(): Promise<void>;
}

/** How often a process writes what it has counted. */
export const usageFlushIntervalMs = 5000;

const hourMs = 3_600_000;
const keptHours = 7 * 24;
/** More keys and hours than that wait only if the database is away for long; further ones are not counted then. */
const maxWaiting = 10_000;

type Count = { -readonly [K in keyof KeyUsage]: KeyUsage[K] };

const hourOf = (at: number): number => at - (at % hourMs);

export const makeKeyUsageCounter = (table: KeyUsageTable, clock: Clock): KeyUsageCounter => {
  let counts = new Map<number, Count>();
  let waiting: KeyUsage[] = [];
  let flushing: Promise<void> = Promise.resolve();

  const enqueue = (usages: Iterable<KeyUsage>): void => {
    for (const usage of usages) if (waiting.length < maxWaiting) waiting.push(usage);
  };

  const countOf = (keyId: number): Count => {
    const hour = hourOf(clock.now());
    let count = counts.get(keyId);
    if (count?.hour !== hour) {
      if (count) enqueue([count]);
      count = { keyId, hour, requests: 0, refusals: 0 };
      counts.set(keyId, count);
    }
    return count;
  };

  const write = async (): Promise<void> => {
    enqueue(counts.values());
    counts = new Map();
    let merged = mergeUsages(waiting);
    waiting = [];
    try {
      while (merged.length > 0) {
        await table.add(merged.slice(0, maxUsagesPerStatement));
        merged = merged.slice(maxUsagesPerStatement);
      }
    } finally {
      // After an error they are tried again. A lost answer may count them twice, which a plot can bear.
      enqueue(merged);
    }
  };

  const flush = (): Promise<void> => (flushing = flushing.catch(() => undefined).then(write));

  return {
    countRequest: (keyId) => void (countOf(keyId).requests += 1),
    countRefusal: (keyId) => void (countOf(keyId).refusals += 1),
    flush,
    lastDay: async () => {
      await flush();
      return table.since(hourOf(clock.now()) - 23 * hourMs);
    },
    clean: async () => {
      await table.removeBefore(hourOf(clock.now()) - keptHours * hourMs);
    },
  };
};

/** Counts the requests that access control looks at, and those that it refuses. */
export const countUsage = (
  access: AccessControl<ApiKey>,
  { countRequest, countRefusal }: KeyUsageCounter,
): AccessControl<ApiKey> => ({
  ...access,
  count: (key) => {
    countRequest(key.id);
    return access.count(key);
  },
  refused: ({ id }) => countRefusal(id),
});

/** A statement may have each key and hour only once. */
const mergeUsages = (usages: readonly KeyUsage[]): KeyUsage[] => {
  const merged = new Map<string, Count>();
  for (const usage of usages) {
    const name = `${String(usage.keyId)} ${String(usage.hour)}`;
    const known = merged.get(name);
    if (known) {
      known.requests += usage.requests;
      known.refusals += usage.refusals;
    } else merged.set(name, { ...usage });
  }
  return [...merged.values()];
};
