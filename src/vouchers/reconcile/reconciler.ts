import { groupBy } from '../../lib/collections.js';
import type { ControllerSite, ControllerWithSites, SiteDirectory } from '../../sites/siteDirectory.js';
import { makeWithLease } from '../../storage/leases.js';
import {
  makeControllerSiteReconciler,
  type ControllerSiteReconcilerDeps,
} from './controllerSiteReconciler.js';

export interface ReconcilerDeps extends ControllerSiteReconcilerDeps {
  sites: SiteDirectory;
  /** Identifies this process as the owner of a lease. */
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
const leaseOptions = { leaseMs: 15_000, renewIntervalMs: 5_000 };
/** Stands for the controllers that were removed. */
const removedControllersId = 0;

/**
 * Controllers are worked on side by side, the places of one after each other, by one process at a time: one that hangs
 * keeps nobody else's intents waiting.
 */
export const makeReconciler = (options: ReconcilerDeps): Reconciler => {
  const { storage, sites, system, metrics, log, owner } = options;
  const withLease = makeWithLease(storage.leases, owner, system);
  const { isDue, settle, giveUp } = makeControllerSiteReconciler(options);
  const working = new Map<number, { readonly abort: AbortController; readonly done: Promise<unknown> }>();
  let stopped = false;

  const countOpen = async (): Promise<number> => {
    const open = await storage.intents.count();
    metrics.openIntents(open);
    return open;
  };

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
    metrics.openIntents(intents.length);
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

  const start = (id: number, work: Work): Promise<unknown> => {
    const abort = new AbortController();
    const done: Promise<unknown> = withLease(`reconcile:${String(id)}`, leaseOptions, ({ signal }) =>
      work(AbortSignal.any([abort.signal, signal])),
    )
      .then(countOpen)
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
      return countOpen();
    },
    stop: async () => {
      stopped = true;
      const works = [...working.values()];
      for (const { abort } of works) abort.abort(new Error('stopped'));
      await Promise.all(works.map(({ done }) => done));
    },
  };
};
