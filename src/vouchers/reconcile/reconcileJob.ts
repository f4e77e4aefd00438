import { groupBy } from '../../lib/collections.js';
import type { ControllerSite, ControllerWithSites, SiteDirectory } from '../../controllers/siteDirectory.js';
import { makeWithLease } from '../../database/leases.js';
import { makeControllerSiteReconciler, type ControllerSiteReconcilerDeps } from './reconciler.js';

export interface ReconcileJobDeps extends ControllerSiteReconcilerDeps {
  sites: SiteDirectory;
  /** Identifies this process as the owner of a lease. */
  owner: string;
}

/** Settles open intents: orders whose outcome is unknown. */
export interface ReconcileJob {
  /** Starts to settle what is due, without waiting for any controller. */
  begin(): Promise<void>;
  /** Settles what is due now, and returns how many intents are still open. */
  reconcile(): Promise<number>;
  /** Aborts what is running, and waits for it to end. */
  stop(): Promise<void>;
}

/** What there is to settle on one controller. */
type Task = (signal: AbortSignal) => Promise<void>;

/** With the interval of the job on top, another process takes over within 30 seconds. */
const leaseOptions = { leaseMs: 15_000, renewIntervalMs: 5_000 };
/** The key of the task for all controllers that were removed. */
const removedControllersId = 0;

/**
 * Makes the reconciler. Controllers are reconciled in parallel, so that one that hangs does not delay the
 * others; the sites of one controller one after the other, and each controller by one process at a time.
 */
export const makeReconcileJob = (deps: ReconcileJobDeps): ReconcileJob => {
  const { tables, sites, system, log, owner } = deps;
  const withLease = makeWithLease(tables.leases, owner, system);
  const { isDue, settle, removeExpired } = makeControllerSiteReconciler(deps);
  const running = new Map<number, { readonly abort: AbortController; readonly done: Promise<unknown> }>();
  let stopped = false;

  const settleAll = async (
    controllerWithSites: ControllerWithSites,
    controllerSites: readonly ControllerSite[],
    signal: AbortSignal,
  ): Promise<void> => {
    // Connected once: settings that change meanwhile take effect the next time.
    const controller = controllerWithSites.connect();
    for (const controllerSite of controllerSites) {
      try {
        signal.throwIfAborted();
        await settle({ controllerWithSites, controller, controllerSite, signal });
      } catch (error) {
        if (signal.aborted) return;
        log.warn(
          { err: error, controller: controllerWithSites.name, controllerSite: controllerSite.id },
          'controller site not reconciled; will retry',
        );
      }
    }
  };

  /** The tasks that are due, by controller. */
  const plan = async (): Promise<Map<number, Task>> => {
    const tasks = new Map<number, Task>();
    const intents = await tables.intents.all();
    const due = groupBy(intents.filter(isDue), ({ siteId }) => siteId);
    if (due.size === 0) return tasks;
    for (const controllerWithSites of await sites.controllers()) {
      const controllerSites = controllerWithSites.controllerSites.filter((controllerSite) =>
        controllerSite.sites.some(({ id }) => due.has(id)),
      );
      if (controllerSites.length > 0)
        tasks.set(controllerWithSites.id, (signal) =>
          settleAll(controllerWithSites, controllerSites, signal),
        );
      for (const { sites: siblings } of controllerSites) for (const { id } of siblings) due.delete(id);
    }
    if (due.size > 0) tasks.set(removedControllersId, () => removeExpired([...due.values()].flat()));
    return tasks;
  };

  const start = (id: number, task: Task): Promise<unknown> => {
    const abort = new AbortController();
    const done: Promise<unknown> = withLease(`reconcile:${String(id)}`, leaseOptions, ({ signal }) =>
      task(AbortSignal.any([abort.signal, signal])),
    )
      .catch((error: unknown) => {
        log.warn({ err: error }, 'reconciliation failed; will retry');
      })
      .finally(() => running.delete(id));
    running.set(id, { abort, done });
    return done;
  };

  return {
    begin: async () => {
      for (const [id, task] of await plan()) if (!stopped && !running.has(id)) void start(id, task);
    },
    reconcile: async () => {
      const tasks = [...(await plan())].map(async ([id, task]) => {
        for (let earlier = running.get(id); earlier; earlier = running.get(id)) await earlier.done;
        if (!stopped) await start(id, task);
      });
      await Promise.all(tasks);
      return tables.intents.count();
    },
    stop: async () => {
      stopped = true;
      const tasks = [...running.values()];
      for (const { abort } of tasks) abort.abort(new Error('stopped'));
      await Promise.all(tasks.map(({ done }) => done));
    },
  };
};
