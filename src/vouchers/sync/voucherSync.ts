import type { Controller } from '../../controllers/controller.js';
import type { Log } from '../../lib/log.js';
import type { Metrics } from '../../lib/metrics.js';
import { publicText } from '../../lib/problem.js';
import type { System } from '../../lib/system.js';
import type { ControllerWithSites, SiteDirectory } from '../../sites/siteDirectory.js';
import { makeOwnedLeases } from '../../storage/leases.js';
import type { Storage } from '../../storage/storage.js';
import { makeSyncControllerSite } from './controllerSiteSync.js';

export interface VoucherSyncDeps {
  storage: Storage;
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
  /** Keeps the leases of this process, and begins the passes that are due. */
  tick(): Promise<void>;
  /** One pass over every controller that no other process has, now. */
  sync(): Promise<void>;
  /** Resolves when no pass is under way. */
  idle(): Promise<void>;
  /** Ends what is under way, and lets another process have the leases. */
  stop(): Promise<void>;
}

/** With the time between two ticks, another process takes over within 30 seconds. */
const tickMs = 4_000;
/** Renewed early, so that a few ticks may fail. */
const leaseOptions = { leaseMs: 25_000, renewBelowMs: 15_000 };
/** A list that still drips after that is given up. */
const passTimeoutMs = 10 * 60_000;

/** How often `tick` has to be called. */
export const syncTickMs = (intervalMs: number): number => Math.min(tickMs, intervalMs);

interface RunningPass {
  readonly abort: AbortController;
  readonly done: Promise<unknown>;
}

/** What this process knows of one controller. */
interface ControllerSyncState {
  /** When the last pass began. */
  begunAt: number | undefined;
  pass: RunningPass | undefined;
}

/**
 * One pass at a time per controller, by the process that holds its lease, between passes too; passes over different
 * controllers run side by side, so that one that hangs delays nobody.
 */
export const makeVoucherSync = (options: VoucherSyncDeps): VoucherSync => {
  const { storage, sites, system, log, owner, intervalMs } = options;
  const leases = makeOwnedLeases(storage.leases, owner, system, leaseOptions);
  const held = new Map<number, ControllerSyncState>();
  const run = makeSyncPass(options);
  let stopped = false;

  const heldOf = (id: number): ControllerSyncState => {
    const known = held.get(id) ?? { begunAt: undefined, pass: undefined };
    held.set(id, known);
    return known;
  };

  /** Renews the leases of these controllers, and returns the controllers whose lease this process has. */
  const renewLeases = async (controllers: readonly ControllerWithSites[]): Promise<ControllerWithSites[]> => {
    const owned = await leases.renew(controllers.map(leaseName));
    return controllers.filter((controller) => owned.has(leaseName(controller)));
  };

  const begin = (controller: ControllerWithSites): Promise<unknown> => {
    if (stopped) return Promise.resolve();
    const its = heldOf(controller.id);
    const abort = new AbortController();
    const late = setTimeout(
      () => abort.abort(new Error(`not finished after ${String(passTimeoutMs / 60_000)} minutes`)),
      passTimeoutMs,
    ).unref();
    its.begunAt = system.now();
    const done = run(controller, abort.signal).finally(() => {
      clearTimeout(late);
      its.pass = undefined;
    });
    its.pass = { abort, done };
    return done;
  };

  /** The tick that is nearest to the time does it. */
  const isDue = ({ begunAt, pass }: ControllerSyncState): boolean => {
    if (pass) return false;
    const passed = system.now() - (begunAt ?? -Infinity);
    return passed < 0 || passed >= intervalMs - syncTickMs(intervalMs) / 2;
  };

  /** Of a controller that nobody is tied to any more, nothing is kept. */
  const forget = (controllers: readonly ControllerWithSites[]): void => {
    const tied = new Set(controllers.map(({ id }) => id));
    for (const [id, { pass }] of held) {
      if (tied.has(id)) continue;
      if (pass) pass.abort.abort(stoppedReason);
      else held.delete(id);
    }
  };

  const passes = (): RunningPass[] => [...held.values()].flatMap(({ pass }) => pass ?? []);

  const idle = async (): Promise<void> => {
    await Promise.all(passes().map(({ done }) => done));
  };

  return {
    tick: async () => {
      if (stopped) return;
      const controllers = await sites.controllers();
      forget(controllers);
      const ours = new Set(await renewLeases(controllers));
      for (const controller of controllers) {
        const its = heldOf(controller.id);
        if (!ours.has(controller)) its.pass?.abort.abort(new Error('another process has the lease'));
        else if (isDue(its)) void begin(controller);
      }
    },
    sync: async () => {
      if (stopped) return;
      const ours = await renewLeases(await sites.controllers());
      await Promise.all(
        ours.map(async (controller) => {
          const its = heldOf(controller.id);
          while (its.pass) await its.pass.done;
          await begin(controller);
        }),
      );
    },
    idle,
    stop: async () => {
      stopped = true;
      for (const { abort } of passes()) abort.abort(stoppedReason);
      await idle();
      await leases.release().catch((error: unknown) => {
        log.warn({ err: error }, 'leases not released; they end by themselves');
      });
    },
  };
};

const leaseName = ({ id }: ControllerWithSites): string => `sync:${String(id)}`;

/** Why a pass was ended that nobody needs to hear of. */
const stoppedReason = new Error('stopped');

/** What a pass has done. */
export interface SyncPassResult {
  readonly changed: number;
  readonly gone: number;
  /** What could not be compared, and why. */
  readonly failures: readonly { readonly error: unknown; readonly places: readonly (string | null)[] }[];
}

export interface SyncPassDeps extends Pick<VoucherSyncDeps, 'storage' | 'system' | 'log'> {
  metrics: Pick<Metrics, 'synced' | 'syncPass'>;
}

/** One pass over a controller, place after place. Never rejects. */
export const makeSyncPass = (options: SyncPassDeps) => {
  const { system, metrics, log } = options;
  const syncPlace = makeSyncControllerSite(options);

  return async (tied: ControllerWithSites, signal: AbortSignal): Promise<SyncPassResult> => {
    const started = system.now();
    const total = { changed: 0, gone: 0 };
    const corrected = (how: 'changed' | 'gone', vouchers: number): void => {
      total[how] += vouchers;
      metrics.synced(how, vouchers);
    };
    // A controller that is down fails alike for all of its places: once is enough to say so.
    const failures = new Map<string, { error: unknown; places: (string | null)[] }>();
    // Once for all places: settings that change meanwhile count from the next pass on.
    let controller: Controller | undefined;
    for (const place of tied.controllerSites) {
      try {
        signal.throwIfAborted();
        controller ??= tied.connect();
        await syncPlace({
          controllerId: tied.id,
          controller,
          controllerSite: place,
          signal,
          onCorrected: corrected,
        });
      } catch (cause) {
        // What a call says that was cut off is not why.
        const error: unknown = signal.reason ?? cause;
        if (error === stoppedReason) break;
        const alike = failures.get(publicText(error)) ?? { error, places: [] };
        alike.places.push(place.id);
        failures.set(publicText(error), alike);
      }
    }
    const ms = system.now() - started;
    const outcome = signal.reason === stoppedReason ? 'stopped' : failures.size > 0 ? 'failed' : 'done';
    metrics.syncPass(tied.kind, outcome, ms / 1000);
    if (total.changed + total.gone > 0) log.info({ controller: tied.name, ...total, ms }, 'vouchers synced');
    for (const { error, places } of failures.values())
      log.warn({ err: error, controller: tied.name, places }, 'not synced; tried again later');
    return { ...total, failures: [...failures.values()] };
  };
};
