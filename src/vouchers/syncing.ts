import type { Controller } from '../controllers/controller.js';
import type { Effects } from '../effects.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import { publicText } from '../problem.js';
import type { SiteDirectory, TiedController } from '../sites/directory.js';
import type { Storage } from '../storage/storage.js';
import { makeSyncPlace } from './syncPlace.js';

export interface SyncingOptions {
  storage: Storage;
  sites: SiteDirectory;
  effects: Effects;
  metrics: Metrics;
  log: Log;
  /** Names this process as the holder of a lease. */
  owner: string;
  intervalMs: number;
}

/** Keeps uses, status and expiry of recorded vouchers as their controllers have them. */
export interface Syncing {
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
const leaseMs = 25_000;
const tickMs = 4_000;
/** Renewed when this is left, so that a few ticks may fail. */
const renewAtMs = 15_000;
/** A list that still drips after that is given up. */
const patienceMs = 10 * 60_000;

/** How often `tick` has to be called. */
export const syncTickMs = (intervalMs: number): number => Math.min(tickMs, intervalMs);

interface Pass {
  readonly abort: AbortController;
  readonly done: Promise<unknown>;
}

/** What this process knows of one controller. */
interface Held {
  leasedUntil: number;
  /** When the last pass began. */
  begunAt: number | undefined;
  pass: Pass | undefined;
}

/**
 * One pass at a time per controller, by the process that holds its lease, between passes too; passes over different
 * controllers run side by side, so that one that hangs delays nobody.
 */
export const makeSyncing = (options: SyncingOptions): Syncing => {
  const { storage, sites, effects, log, owner, intervalMs } = options;
  const held = new Map<number, Held>();
  const run = makePass(options);
  let stopped = false;

  const heldOf = (id: number): Held => {
    const known = held.get(id) ?? { leasedUntil: 0, begunAt: undefined, pass: undefined };
    held.set(id, known);
    return known;
  };

  /** Keeps the leases of these controllers, and returns the controllers whose lease this process has. */
  const hold = async (controllers: readonly TiedController[]): Promise<TiedController[]> => {
    const now = effects.now();
    const ending = controllers.filter(({ id }) => {
      const left = heldOf(id).leasedUntil - now;
      return left <= renewAtMs || left > leaseMs;
    });
    const taken = await storage.leases.takeAll(ending.map(leaseOf), owner, leaseMs);
    for (const controller of ending)
      heldOf(controller.id).leasedUntil = taken.has(leaseOf(controller)) ? now + leaseMs : 0;
    return controllers.filter(({ id }) => heldOf(id).leasedUntil > 0);
  };

  const begin = (controller: TiedController): Promise<unknown> => {
    if (stopped) return Promise.resolve();
    const its = heldOf(controller.id);
    const abort = new AbortController();
    const late = setTimeout(
      () => abort.abort(new Error(`not finished after ${String(patienceMs / 60_000)} minutes`)),
      patienceMs,
    ).unref();
    its.begunAt = effects.now();
    const done = run(controller, abort.signal).finally(() => {
      clearTimeout(late);
      its.pass = undefined;
    });
    its.pass = { abort, done };
    return done;
  };

  /** The tick that is nearest to the time does it. */
  const isDue = ({ begunAt, pass }: Held): boolean => {
    if (pass) return false;
    const passed = effects.now() - (begunAt ?? -Infinity);
    return passed < 0 || passed >= intervalMs - syncTickMs(intervalMs) / 2;
  };

  /** Of a controller that nobody is tied to any more, nothing is kept. */
  const forget = (controllers: readonly TiedController[]): void => {
    const tied = new Set(controllers.map(({ id }) => id));
    for (const [id, { pass }] of held) {
      if (tied.has(id)) continue;
      if (pass) pass.abort.abort(stopping);
      else held.delete(id);
    }
  };

  const passes = (): Pass[] => [...held.values()].flatMap(({ pass }) => pass ?? []);

  const idle = async (): Promise<void> => {
    await Promise.all(passes().map(({ done }) => done));
  };

  return {
    tick: async () => {
      if (stopped) return;
      const controllers = await sites.controllers();
      forget(controllers);
      const ours = new Set(await hold(controllers));
      for (const controller of controllers) {
        const its = heldOf(controller.id);
        if (!ours.has(controller)) its.pass?.abort.abort(new Error('another process has the lease'));
        else if (isDue(its)) void begin(controller);
      }
    },
    sync: async () => {
      if (stopped) return;
      const ours = await hold(await sites.controllers());
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
      for (const { abort } of passes()) abort.abort(stopping);
      await idle();
      const leased = [...held].filter(([, { leasedUntil }]) => leasedUntil > 0);
      const names = leased.map(([id]) => leaseOf({ id }));
      await storage.leases.release(names, owner).catch((error: unknown) => {
        log.warn({ err: error }, 'leases not released; they end by themselves');
      });
    },
  };
};

const leaseOf = ({ id }: Pick<TiedController, 'id'>): string => `sync:${String(id)}`;

/** Why a pass was ended that nobody needs to hear of. */
const stopping = new Error('stopped');

/** What a pass has done. */
export interface PassResult {
  readonly changed: number;
  readonly gone: number;
  /** What could not be compared, and why. */
  readonly failures: readonly { readonly error: unknown; readonly places: readonly (string | null)[] }[];
}

export interface PassOptions extends Pick<SyncingOptions, 'storage' | 'effects' | 'log'> {
  metrics: Pick<Metrics, 'synced' | 'syncPass'>;
}

/** One pass over a controller, place after place. Never rejects. */
export const makePass = (options: PassOptions) => {
  const { effects, metrics, log } = options;
  const syncPlace = makeSyncPlace(options);

  return async (tied: TiedController, signal: AbortSignal): Promise<PassResult> => {
    const started = effects.now();
    const total = { changed: 0, gone: 0 };
    const corrected = (how: 'changed' | 'gone', vouchers: number): void => {
      total[how] += vouchers;
      metrics.synced(how, vouchers);
    };
    // A controller that is down fails alike for all of its places: once is enough to say so.
    const failures = new Map<string, { error: unknown; places: (string | null)[] }>();
    // Once for all places: settings that change meanwhile count from the next pass on.
    let controller: Controller | undefined;
    for (const place of tied.places) {
      try {
        signal.throwIfAborted();
        controller ??= tied.connect();
        await syncPlace({ controllerId: tied.id, controller, place, signal, corrected });
      } catch (cause) {
        // What a call says that was cut off is not why.
        const error: unknown = signal.reason ?? cause;
        if (error === stopping) break;
        const alike = failures.get(publicText(error)) ?? { error, places: [] };
        alike.places.push(place.controllerSite);
        failures.set(publicText(error), alike);
      }
    }
    const ms = effects.now() - started;
    const outcome = signal.reason === stopping ? 'stopped' : failures.size > 0 ? 'failed' : 'done';
    metrics.syncPass(tied.kind, outcome, ms / 1000);
    if (total.changed + total.gone > 0) log.info({ controller: tied.name, ...total, ms }, 'vouchers synced');
    for (const { error, places } of failures.values())
      log.warn({ err: error, controller: tied.name, places }, 'not synced; tried again later');
    return { ...total, failures: [...failures.values()] };
  };
};
