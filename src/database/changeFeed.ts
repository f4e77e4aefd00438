import { makeIntervalJob } from '../jobs/intervalJob.js';
import type { Log } from '../log/log.js';
import type { Database } from './database.js';
import { revisionTopics } from './revisions.js';

/** The topics of changes: everything that has a revision. */
export const changeTopics = [...revisionTopics, 'vouchers'] as const;

/** What was changed, and for vouchers on which sites. */
export interface DataChange {
  readonly topics: ReadonlySet<(typeof changeTopics)[number]>;
  /** The sites whose vouchers were changed. */
  readonly siteIds: ReadonlySet<number>;
}

interface ChangeListener {
  changed(change: DataChange): void;
  /** There will be no more changes: the service stops. */
  closed(): void;
}

/** Reports changes in the database, by any process. */
export interface ChangeFeed {
  /** Calls the listener for each change after it resolves. Returns a function that ends the subscription. */
  subscribe(listener: ChangeListener): Promise<() => void>;
  /** The number of listeners. */
  size(): number;
  close(): Promise<void>;
}

const pollIntervalMs = 1000;
const sitePrefix = 'site:';

/** Reads the revisions once a second, but only while there are listeners. */
export const makeChangeFeed = ({ read }: Database, log: Log): ChangeFeed => {
  const listeners = new Set<ChangeListener>();
  let known: ReadonlyMap<string, number> | undefined;

  const readRevisions = async (): Promise<ReadonlyMap<string, number>> => {
    const rows = await read('revisions').select<{ name: string; value: number }[]>('name', 'value');
    return new Map(rows.map(({ name, value }) => [name, value]));
  };

  const poll = async (): Promise<void> => {
    if (listeners.size === 0) {
      known = undefined;
      return;
    }
    const current = await readRevisions();
    const before = known;
    known = current;
    if (!before) return;
    const changed = [...current].filter(([name, value]) => before.get(name) !== value).map(([name]) => name);
    if (changed.length === 0) return;
    const change = toChange(changed);
    if (change.topics.size === 0) return;
    for (const { changed: notify } of listeners) notify(change);
  };

  const job = makeIntervalJob('change feed', poll, pollIntervalMs, log);
  job.start();
  return {
    subscribe: async (listener) => {
      listeners.add(listener);
      // Later changes are those after this look.
      if (!known) {
        try {
          const current = await readRevisions();
          known ??= current;
        } catch (error) {
          listeners.delete(listener);
          throw error;
        }
      }
      return () => listeners.delete(listener);
    },
    size: () => listeners.size,
    close: async () => {
      for (const { closed } of listeners) closed();
      listeners.clear();
      await job.stop();
    },
  };
};

const toChange = (names: readonly string[]): DataChange => {
  const siteIds = names
    .filter((name) => name.startsWith(sitePrefix))
    .map((name) => Number(name.slice(sitePrefix.length)));
  // A newer version that shares the database may have revisions that are unknown here.
  const isChanged = (topic: string): boolean =>
    topic === 'vouchers' ? siteIds.length > 0 : names.includes(topic);
  return {
    topics: new Set(changeTopics.filter(isChanged)),
    siteIds: new Set(siteIds),
  };
};
