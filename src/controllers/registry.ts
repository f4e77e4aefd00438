import { isDeepStrictEqual } from 'node:util';
import { credentialsBinding } from '../secrets/encryption.js';
import type { Controller, ControllerCredentials, ControllerSpec, ControllerDeps } from './controller.js';
import { countThrown, describeCalls, type CallCounts, type ControllerHealth } from './health.js';
import { parseControllerKind, type ControllerKindName } from './kinds.js';
import { makeSimulated } from './simulated/simulated.js';
import { makeUnifi } from './unifi/unifi.js';
import { makeUnifiClassic } from './unifiClassic/unifiClassic.js';

/** A controller as it is stored, its credentials sealed. */
interface SealedController extends Omit<ControllerSpec, 'credentials'> {
  readonly sealedCredentials: string | null;
}

/** One adapter per kind. */
const adapters: Readonly<
  Record<ControllerKindName, (spec: ControllerSpec, deps: ControllerDeps) => Controller>
> = {
  simulated: (spec, deps) => makeSimulated({ ...spec, ...deps }),
  unifi: (spec, deps) => makeUnifi({ ...spec, ...deps }),
  'unifi-classic': (spec, deps) => makeUnifiClassic({ ...spec, ...deps }),
};

/** Makes a controller. Throws `SettingsError` when its settings or credentials can't be used. */
export const makeController = (spec: ControllerSpec, deps: ControllerDeps): Controller =>
  adapters[parseControllerKind(spec.kind)](spec, deps);

/** Live controllers: one per stored controller, shared by its sites, made when first needed. */
export interface ControllerRegistry {
  get(stored: SealedController): Controller;
  /** How a controller is doing, by the calls of this process. */
  stateOf(id: number): Omit<ControllerHealth, 'lastSyncAt'>;
  /** Closes all others. */
  keepOnly(ids: readonly number[]): void;
  close(): Promise<void>;
}

interface Live {
  stored: SealedController;
  readonly spec: ControllerSpec;
  readonly controller: Controller;
}

export const makeControllerRegistry = (deps: ControllerDeps): ControllerRegistry => {
  const live = new Map<number, Live>();
  const allCounts = new Map<number, CallCounts>();
  const countsOf = (id: number): CallCounts => {
    const counts = allCounts.get(id) ?? { calls: 0, failures: 0, totalMs: 0, lastError: undefined };
    allCounts.set(id, counts);
    return counts;
  };
  const closing = new Set<Promise<void>>();
  const open = ({ id, name, kind, settings, sealedCredentials }: SealedController): ControllerSpec => ({
    id,
    name,
    kind,
    settings,
    credentials:
      sealedCredentials === null
        ? {}
        : (JSON.parse(
            deps.secrets().open(sealedCredentials, credentialsBinding({ id, kind, settings })),
          ) as ControllerCredentials),
  });
  /** What keeps a controller from being used is part of its health. */
  const noteFailure = <T>(id: number, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      countsOf(id).lastError = error;
      throw error;
    }
  };
  const openOrFail = (stored: SealedController) => noteFailure(stored.id, () => open(stored));
  const makeOrFail = (spec: ControllerSpec) => noteFailure(spec.id, () => makeController(spec, deps));
  const end = (controller: Controller): void => {
    const closed = controller.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  return {
    get: (stored) => {
      const known = live.get(stored.id);
      if (known?.stored === stored) return known.controller;
      const spec = openOrFail(stored);
      // Only sealed with another key: keep its connections and its session.
      if (known && isDeepStrictEqual(known.spec, spec)) {
        known.stored = stored;
        return known.controller;
      }
      const controller = countCalls(makeOrFail(spec), countsOf(spec.id));
      live.set(spec.id, { stored, spec, controller });
      if (known) end(known.controller);
      return controller;
    },
    stateOf: (id) => describeCalls(allCounts.get(id), live.get(id)?.controller.isCircuitOpen?.() ?? false),
    keepOnly: (ids) => {
      for (const id of allCounts.keys()) if (!ids.includes(id)) allCounts.delete(id);
      for (const [id, { controller }] of live) {
        if (ids.includes(id)) continue;
        live.delete(id);
        end(controller);
      }
    },
    close: async () => {
      for (const { controller } of live.values()) end(controller);
      live.clear();
      await Promise.all(closing);
    },
  };
};

/** The controller, with its calls counted. */
const countCalls = (controller: Controller, counts: CallCounts): Controller => {
  const countAnswered = (startedAt: number): void => {
    counts.calls += 1;
    counts.totalMs += performance.now() - startedAt;
    counts.lastError = undefined;
  };
  const call = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const startedAt = performance.now();
    try {
      const result = await work();
      countAnswered(startedAt);
      return result;
    } catch (error) {
      countThrown(counts, performance.now() - startedAt, error, signal);
      throw error;
    }
  };
  const read = async function* <T>(begin: () => AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
    const startedAt = performance.now();
    try {
      yield* begin();
      countAnswered(startedAt);
    } catch (error) {
      countThrown(counts, performance.now() - startedAt, error, signal);
      throw error;
    }
  };
  const { incremental } = controller;
  return {
    ...controller,
    create: (order, count, signal) => call(() => controller.create(order, count, signal), signal),
    list: (site, signal) => read(() => controller.list(site, signal), signal),
    createdIn: (site, ranges, signal) => read(() => controller.createdIn(site, ranges, signal), signal),
    revoke: (site, voucherId, signal) => call(() => controller.revoke(site, voucherId, signal), signal),
    probe: (onStep) => call(() => controller.probe(onStep)),
    ...(incremental && {
      incremental: {
        count: (site, signal) => call(() => incremental.count(site, signal), signal),
        changed: (site, since, signal) => read(() => incremental.changed(site, since, signal), signal),
      },
    }),
  };
};
