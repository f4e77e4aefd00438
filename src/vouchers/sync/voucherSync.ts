import type { Controller } from '../../controllers/controller.js';
import { outageOf } from '../../controllers/health.js';
import type { Log } from '../../log/log.js';
import type { Metrics } from '../../metrics/metrics.js';
import { publicText } from '../../lib/publicText.js';
import { newId, type System } from '../../lib/system.js';
import type { ControllerWithSites, SiteDirectory } from '../../controllers/siteDirectory.js';
import { makeOwnedLeases } from '../../database/leases.js';
import type { VoucherTables } from '../voucherTables.js';
import { makeSyncNow, type SyncNow, type SyncPassResult } from './syncNow.js';
import { makeSyncControllerSite } from './controllerSiteSync.js';

export interface VoucherSyncDeps {
  tables: VoucherTables;
  sites: SiteDirectory;
  system: System;
  metrics: Metrics;
  log: Log;
  /** Identifies this process as the owner of a lease. */
  owner: string;
  intervalMs: number;
}

/** Keeps uses, status and expiry of recorded vouchers as their controllers have them. */
export interface VoucherSync {
  /** Renews the leases of this process, and starts the passes that are due. */
  tick(): Promise<void>;
  /** One pass, now, over every controller whose lease no other process has. */
  sync(): Promise<void>;
  /** One pass over one controller, now: see `syncNow.ts`. */
  readonly syncNow: SyncNow;
  /** Resolves when no pass is running. */
  idle(): Promise<void>;
  /** Aborts running passes, and releases the leases. */
  stop(): Promise<void>;
}

const tickMs = 4_000;
const leaseOptions = {
  /** With the time between two ticks, another process takes over within 30 seconds. */
  leaseMs: 25_000,
  /** Early, so that a few ticks may fail. */
  renewBelowMs: 15_000,
};
/** Ends a pass whose list never does. */
const passTimeoutMs = 10 * 60_000;

/** How often `tick` has to be called. */
export const syncTickMs = (intervalMs: number): number => Math.min(tickMs, intervalMs);

interface RunningPass {
  readonly abort: AbortController;
  readonly done: Promise<SyncPassResult>;
  /** Somebody asked for it, with a lease of its own: that of the regular sync may be another process's. */
  readonly isRequested: boolean;
}

/** What this process knows of one controller. */
interface ControllerSyncState {
  /** When the last pass started. */
  startedAt: number | undefined;
  pass: RunningPass | undefined;
}

/**
 * Makes the sync. Each controller has one pass at a time, by the process that has its lease, which it keeps
 * between passes. Passes over different controllers run in parallel, so that one that hangs does not delay
 * the others.
 */
export const makeVoucherSync = (deps: VoucherSyncDeps): VoucherSync => {
  const { tables, sites, system, log, owner, intervalMs } = deps;
  const leases = makeOwnedLeases(tables.leases, owner, system, leaseOptions);
  const states = new Map<number, ControllerSyncState>();
  const runPass = makeSyncPass(deps);
  let stopped = false;

  const stateOf = ({ id }: ControllerWithSites): ControllerSyncState => {
    const state = states.get(id) ?? { startedAt: undefined, pass: undefined };
    states.set(id, state);
    return state;
  };

  /** Renews the leases of these controllers, and returns the controllers whose lease this process has. */
  const renewLeases = async (controllers: readonly ControllerWithSites[]): Promise<ControllerWithSites[]> => {
    const owned = await leases.renew(controllers.map(leaseName));
    return controllers.filter((controller) => owned.has(leaseName(controller)));
  };

  const startPass = (controller: ControllerWithSites, isRequested = false): Promise<SyncPassResult> => {
    if (stopped) return Promise.resolve(nothingDone);
    const state = stateOf(controller);
    const abort = new AbortController();
    const timeout = setTimeout(
      () => abort.abort(new Error(`timed out after ${String(passTimeoutMs / 60_000)} minutes`)),
      passTimeoutMs,
    ).unref();
    state.startedAt = system.now();
    const done = runPass(controller, abort.signal).finally(() => {
      clearTimeout(timeout);
      state.pass = undefined;
    });
    state.pass = { abort, done, isRequested };
    return done;
  };

  /** Half a tick early counts, so that a pass starts with the tick nearest to its time. */
  const isDue = ({ startedAt, pass }: ControllerSyncState): boolean => {
    if (pass) return false;
    const elapsedMs = system.now() - (startedAt ?? -Infinity);
    return elapsedMs < 0 || elapsedMs >= intervalMs - syncTickMs(intervalMs) / 2;
  };

  /** Drops the state of controllers that no longer have sites, and aborts their passes. */
  const forgetOthers = (controllers: readonly ControllerWithSites[]): void => {
    const ids = new Set(controllers.map(({ id }) => id));
    for (const [id, { pass }] of states) {
      if (ids.has(id)) continue;
      if (pass) pass.abort.abort(stoppedReason);
      else states.delete(id);
    }
  };

  const passes = (): RunningPass[] => [...states.values()].flatMap(({ pass }) => pass ?? []);

  const idle = async (): Promise<void> => {
    await Promise.all(passes().map(({ done }) => done));
  };

  return {
    tick: async () => {
      if (stopped) return;
      const controllers = await sites.controllers();
      forgetOthers(controllers);
      const leased = new Set(await renewLeases(controllers));
      for (const controller of controllers) {
        const state = stateOf(controller);
        if (!leased.has(controller)) {
          if (state.pass?.isRequested === false)
            state.pass.abort.abort(new Error('lease lost to another process'));
        } else if (isDue(state)) void startPass(controller);
      }
    },
    sync: async () => {
      if (stopped) return;
      const leased = await renewLeases(await sites.controllers());
      await Promise.all(
        leased.map(async (controller) => {
          const state = stateOf(controller);
          while (state.pass) await state.pass.done;
          await startPass(controller);
        }),
      );
    },
    syncNow: makeSyncNow({
      leases: tables.leases,
      owner,
      clock: system,
      log,
      findController: async (id) => (await sites.controllers()).find((controller) => controller.id === id),
      // One that runs already does the same.
      runPass: (controller) => stateOf(controller).pass?.done ?? startPass(controller, true),
    }),
    idle,
    stop: async () => {
      stopped = true;
      for (const { abort } of passes()) abort.abort(stoppedReason);
      await idle();
      await leases.release().catch((error: unknown) => {
        log.warn({ err: error }, 'leases not released; they will expire');
      });
    },
  };
};

const leaseName = ({ id }: ControllerWithSites): string => `sync:${String(id)}`;

/** Aborts a pass without being reported as a failure. */
const stoppedReason = new Error('stopped');

const nothingDone: SyncPassResult = { changed: 0, gone: 0, failures: [] };

export interface SyncPassDeps extends Pick<VoucherSyncDeps, 'tables' | 'system' | 'log'> {
  metrics: Pick<Metrics, 'synced' | 'syncPass'>;
}

/** One pass over the sites of a controller, one after the other. Never rejects. */
export const makeSyncPass = (deps: SyncPassDeps) => {
  const { system, metrics, log } = deps;
  const syncControllerSite = makeSyncControllerSite(deps);

  /** Webhooks are told of a controller that no site was read from, and when that is over. */
  const noteOutage = async (
    controller: ControllerWithSites,
    wasReached: boolean,
    failures: readonly { readonly error: unknown }[],
  ): Promise<void> => {
    const { controllerOutages } = deps.tables;
    const moment = { id: newId(system), createdAt: system.now() };
    const failure = failures.map(({ error }) => outageOf(error)).find((found) => found !== undefined);
    try {
      if (wasReached) await controllerOutages.noteReachable(controller, moment);
      else if (failure) await controllerOutages.noteUnreachable(controller, failure, moment);
    } catch (error) {
      log.warn({ err: error, controller: controller.name }, 'state of the controller not stored');
    }
  };

  const noteSync = (controllerId: number): Promise<void> =>
    deps.tables.controllers.noteSync(controllerId, system.now()).catch((error: unknown) => {
      log.warn({ err: error }, 'time of the last sync not stored');
    });

  return async (controllerWithSites: ControllerWithSites, signal: AbortSignal): Promise<SyncPassResult> => {
    const { id: controllerId, name, kind } = controllerWithSites;
    const startedAt = system.now();
    const total = { changed: 0, gone: 0 };
    const onCorrected = (how: 'changed' | 'gone', vouchers: number): void => {
      total[how] += vouchers;
      metrics.synced(how, vouchers);
    };
    // A controller that is down fails for all of its sites in the same way: one report is enough.
    const failures = new Map<string, { error: unknown; controllerSites: (string | null)[] }>();
    // Connected once: settings that change meanwhile take effect in the next pass.
    let controller: Controller | undefined;
    let wasReached = false;
    for (const controllerSite of controllerWithSites.controllerSites) {
      try {
        signal.throwIfAborted();
        controller ??= controllerWithSites.connect();
        await syncControllerSite({ controllerId, controller, controllerSite, signal, onCorrected });
        wasReached = true;
      } catch (cause) {
        // The error of an aborted call does not say why it was aborted.
        const error: unknown = signal.reason ?? cause;
        if (error === stoppedReason) break;
        const failure = failures.get(publicText(error)) ?? { error, controllerSites: [] };
        failure.controllerSites.push(controllerSite.id);
        failures.set(publicText(error), failure);
      }
    }
    const ms = system.now() - startedAt;
    const outcome = signal.reason === stoppedReason ? 'stopped' : failures.size > 0 ? 'failed' : 'done';
    metrics.syncPass(kind, outcome, ms / 1000);
    const wasCompared = controllerWithSites.controllerSites.length > 0;
    if (outcome === 'done' && wasCompared) await noteSync(controllerId);
    if (outcome !== 'stopped') await noteOutage(controllerWithSites, wasReached, [...failures.values()]);
    if (total.changed + total.gone > 0) log.info({ controller: name, ...total, ms }, 'vouchers synced');
    for (const { error, controllerSites } of failures.values())
      log.warn({ err: error, controller: name, controllerSites }, 'controller not synced; will retry');
    return { ...total, failures: [...failures.values()] };
  };
};
