import { groupBy } from '../../lib/collections.js';
import type { ControllerSite, ControllerWithSites, SiteDirectory } from '../../sites/siteDirectory.js';
import {
  makeControllerSiteReconciler,
  type ControllerSiteReconcilerDeps,
} from './controllerSiteReconciler.js';

export interface ReconcilerDeps extends ControllerSiteReconcilerDeps {
  sites: SiteDirectory;
  /** Names this process as the holder of a lease. */
  owner: string;
}

/** Settles intents that were left open. */
export interface Reconciler {
  /** Begins to settle what is due, and waits for no controller. */
  begin(): Promise<void>;
  /** Settles what is due now, and returns how many intents are still open. */
  reconcile(): Promise<number>;
  /** Ends what is under way. */
  stop(): Promise<void>;
}

type Work = (signal: AbortSignal) => Promise<void>;

/** Renewed while the work lasts; with the interval on top, another process takes over within 30 seconds. */
const leaseMs = 15_000;
const renewIntervalMs = 5_000;
/** Stands for the controllers that were removed. */
const removedControllersId = 0;

/**
 * Controllers are worked on side by side, the places of one after each other, by one process at a time: one that hangs
 * keeps nobody else's intents waiting.
 */
export const makeReconciler = (options: ReconcilerDeps): Reconciler => {
  const { storage, sites, log, owner } = options;
  const { isDue, settle, giveUp } = makeControllerSiteReconciler(options);
  const working = new Map<number, { readonly abort: AbortController; readonly done: Promise<unknown> }>();
  let stopped = false;

  const settleAll = async (
    tied: ControllerWithSites,
    places: readonly ControllerSite[],
    signal: AbortSignal,
  ): Promise<void> => {
    // Once for all places: settings that change meanwhile count from the next time on.
    const controller = tied.connect();
    for (const place of places) {
      try {
        signal.throwIfAborted();
        await settle({ controllerWithSites: tied, controller, controllerSite: place, signal });
      } catch (error) {
        if (signal.aborted) return;
        const { id: controllerSite } = place;
        log.warn({ err: error, controller: tied.name, controllerSite }, 'not reconciled; tried again later');
      }
    }
  };

  /** What there is to do, by controller. */
  const plan = async (): Promise<Map<number, Work>> => {
    const works = new Map<number, Work>();
    const intents = await storage.intents.all();
    const due = groupBy(intents.filter(isDue), ({ siteId }) => siteId);
    if (due.size === 0) return works;
    for (const tied of await sites.controllers()) {
      const places = tied.controllerSites.filter((place) => place.sites.some(({ id }) => due.has(id)));
      if (places.length > 0) works.set(tied.id, (signal) => settleAll(tied, places, signal));
      for (const place of places) for (const { id } of place.sites) due.delete(id);
    }
    if (due.size > 0) works.set(removedControllersId, () => giveUp([...due.values()].flat()));
    return works;
  };

  /** Does the work when the lease can be had, and keeps it as long as the work lasts. */
  const leased = async (name: string, abort: AbortController, work: Work): Promise<void> => {
    const take = (): Promise<boolean> => storage.leases.acquire(name, owner, leaseMs);
    if (!(await take())) return;
    const renew = async (): Promise<void> => {
      // A failure to ask is no loss yet: the next renewal comes before the lease ends.
      if (!(await take().catch(() => true))) abort.abort(new Error('another process has the lease'));
    };
    const renewing = setInterval(() => void renew(), renewIntervalMs).unref();
    try {
      await work(abort.signal);
    } finally {
      clearInterval(renewing);
      await storage.leases.release([name], owner);
    }
  };

  const start = (id: number, work: Work): Promise<unknown> => {
    const abort = new AbortController();
    const done: Promise<unknown> = leased(`reconcile:${String(id)}`, abort, work)
      .catch((error: unknown) => {
        log.warn({ err: error }, 'reconciling failed; tried again later');
      })
      .finally(() => working.delete(id));
    working.set(id, { abort, done });
    return done;
  };

  return {
    begin: async () => {
      for (const [id, work] of await plan()) if (!stopped && !working.has(id)) void start(id, work);
    },
    reconcile: async () => {
      const works = [...(await plan())].map(async ([id, work]) => {
        for (let now = working.get(id); now; now = working.get(id)) await now.done;
        if (!stopped) await start(id, work);
      });
      await Promise.all(works);
      return storage.intents.count();
    },
    stop: async () => {
      stopped = true;
      const works = [...working.values()];
      for (const { abort } of works) abort.abort(new Error('stopped'));
      await Promise.all(works.map(({ done }) => done));
    },
  };
};
