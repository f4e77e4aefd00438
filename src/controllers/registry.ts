import { isDeepStrictEqual } from 'node:util';
import { credentialsBinding } from '../secrets/encryption.js';
import type {
  ConnectionState,
  Controller,
  ControllerCredentials,
  ControllerDeps,
  ControllerSpec,
} from './controller.js';
import { OutcomeUnknown } from './errors.js';
import {
  countThrown,
  describeCalls,
  isFailure,
  isKeptBack,
  type CallCounts,
  type ControllerHealth,
} from './health.js';
import type { ControllerCall } from '../metrics/controllerMetrics.js';
import type { EndSpan, SpanDescription, Tracer } from '../tracing/tracer.js';
import { parseControllerKind, type ControllerKindName } from './kinds.js';
import { makeMikrotik } from './mikrotik/mikrotik.js';
import { makeOmada } from './omada/omada.js';
import { makeRadiusSql } from './radiusSql/radiusSql.js';
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
  'radius-sql': (spec, deps) => makeRadiusSql({ ...spec, ...deps }),
  simulated: (spec, deps) => makeSimulated({ ...spec, ...deps }),
  unifi: (spec, deps) => makeUnifi({ ...spec, ...deps }),
  'unifi-classic': (spec, deps) => makeUnifiClassic({ ...spec, ...deps }),
  omada: (spec, deps) => makeOmada({ ...spec, ...deps }),
  mikrotik: (spec, deps) => makeMikrotik({ ...spec, ...deps }),
};

/** Makes a controller. Throws `SettingsError` when its settings or credentials can't be used. */
export const makeController = (spec: ControllerSpec, deps: ControllerDeps): Controller =>
  adapters[parseControllerKind(spec.kind)](spec, deps);

/** Live controllers: one per stored controller, shared by its sites, made when first needed. */
export interface ControllerRegistry {
  get(stored: SealedController): Controller;
  /** How a controller is doing, by the calls of this process. */
  stateOf(id: number): Omit<ControllerHealth, 'lastSyncAt'>;
  /**
   * Notes that a controller has answered outside the counted calls, as to a test.
   * It counts until a call says otherwise.
   */
  noteAnswer(id: number): void;
  /** The connection to a controller; undefined when it has none, or was not needed yet. */
  connectionOf(id: number): ConnectionState | undefined;
  /** How long ago a call of this process last ended, or was impossible; undefined without any. */
  sinceLastCallMs(id: number): number | undefined;
  /** Closes all others. */
  keepOnly(ids: readonly number[]): void;
  close(): Promise<void>;
}

const noCalls: CallCounts = {
  calls: 0,
  failures: 0,
  totalMs: 0,
  lastError: undefined,
  lastAt: undefined,
};

/** How long an answer to a test counts while nothing else calls the controller. */
const answerMs = 10 * 60_000;

interface Live {
  stored: SealedController;
  readonly spec: ControllerSpec;
  readonly controller: Controller;
}

/** Hears of each call of a controller when it has ended. */
export type ObserveCall = (call: ControllerCall) => void;

export const makeControllerRegistry = (
  deps: ControllerDeps,
  observe: ObserveCall = () => undefined,
): ControllerRegistry => {
  const live = new Map<number, Live>();
  const allCounts = new Map<number, CallCounts>();
  /** Of controllers that have answered to a test: when, by `performance.now()`. */
  const answers = new Map<number, number>();
  const hasAnswered = (id: number): boolean => {
    const at = answers.get(id);
    return at !== undefined && performance.now() - at <= answerMs;
  };
  const countsOf = (id: number): CallCounts => {
    const counts = allCounts.get(id) ?? { ...noCalls };
    allCounts.set(id, counts);
    return counts;
  };
  const connectionOf = (id: number): ConnectionState | undefined =>
    live.get(id)?.controller.connectionState?.();
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
      Object.assign(countsOf(id), { lastError: error, lastAt: performance.now() });
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
      const controller = countCalls(
        makeOrFail(spec),
        countsOf(spec.id),
        (ended) => observe({ controllerId: spec.id, kind: spec.kind, ...ended }),
        deps.tracer && makeTraceCalls(deps.tracer, spec),
      );
      live.set(spec.id, { stored, spec, controller });
      if (known) end(known.controller);
      return controller;
    },
    stateOf: (id) => {
      const observed = describeCalls(allCounts.get(id), connectionOf(id)?.isCircuitOpen ?? false);
      return observed.state === 'unknown' && hasAnswered(id) ? { ...observed, state: 'ok' } : observed;
    },
    noteAnswer: (id) => {
      answers.set(id, performance.now());
      const counts = allCounts.get(id);
      if (counts) counts.lastError = undefined;
    },
    connectionOf,
    sinceLastCallMs: (id) => {
      const lastAt = allCounts.get(id)?.lastAt;
      return lastAt === undefined ? undefined : performance.now() - lastAt;
    },
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

type EndedCall = Omit<ControllerCall, 'controllerId' | 'kind'>;

/** Calls as spans. The trace is not passed on: a console could do nothing with it. */
interface TracedCalls {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  begin(name: string): EndSpan;
}

const makeTraceCalls = (tracer: Tracer, { id, kind }: Pick<ControllerSpec, 'id' | 'kind'>): TracedCalls => {
  const describe = (name: string): SpanDescription => ({
    name: `controller ${name}`,
    kind: 'client',
    attributes: { 'voucherd.controller.id': id, 'voucherd.controller.kind': kind },
  });
  return {
    run: (name, work) => tracer.run(describe(name), work),
    begin: (name) => tracer.begin(describe(name)),
  };
};

/** The controller, with its calls counted. */
const countCalls = (
  controller: Controller,
  counts: CallCounts,
  observe: (ended: EndedCall) => void,
  traced: TracedCalls | undefined,
): Controller => {
  const countAnswered = (name: string, startedAt: number): void => {
    const now = performance.now();
    counts.calls += 1;
    counts.totalMs += now - startedAt;
    counts.lastError = undefined;
    counts.lastAt = now;
    observe({ call: name, outcome: 'answer', isFailure: false, seconds: (now - startedAt) / 1000 });
  };
  const countFailed = (
    name: string,
    startedAt: number,
    error: unknown,
    signal: AbortSignal | undefined,
  ): void => {
    const elapsedMs = performance.now() - startedAt;
    countThrown(counts, elapsedMs, error, signal);
    const outcome = error instanceof OutcomeUnknown ? 'unknown' : 'refusal';
    observe({
      call: name,
      outcome: isKeptBack(error) ? 'circuit_open' : outcome,
      isFailure: isFailure(error),
      seconds: elapsedMs / 1000,
    });
  };
  const call = async <T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const startedAt = performance.now();
    try {
      const result = await (traced ? traced.run(name, work) : work());
      countAnswered(name, startedAt);
      return result;
    } catch (error) {
      countFailed(name, startedAt, error, signal);
      throw error;
    }
  };
  const read = async function* <T>(
    name: string,
    begin: () => AsyncIterable<T>,
    signal?: AbortSignal,
  ): AsyncGenerator<T> {
    const startedAt = performance.now();
    const end = traced?.begin(name);
    let failure: unknown;
    try {
      yield* begin();
      countAnswered(name, startedAt);
    } catch (error) {
      countFailed(name, startedAt, error, signal);
      failure = error;
      throw error;
    } finally {
      end?.(failure);
    }
  };
  const { incremental, find, disconnect } = controller;
  return {
    ...controller,
    create: (order, count, signal) => call('create', () => controller.create(order, count, signal), signal),
    list: (site, signal) => read('list', () => controller.list(site, signal), signal),
    createdIn: (site, ranges, signal) =>
      read('list', () => controller.createdIn(site, ranges, signal), signal),
    ...(find && {
      find: (order, count, signal) => call('find', () => find(order, count, signal), signal),
    }),
    ...(disconnect && {
      disconnect: (site, voucherId, signal) =>
        call('disconnect', () => disconnect(site, voucherId, signal), signal),
    }),
    revoke: (site, voucherId, signal) =>
      call('revoke', () => controller.revoke(site, voucherId, signal), signal),
    probe: (onStep) => call('probe', () => controller.probe(onStep)),
    ...(incremental && {
      incremental: {
        count: (site, signal) => call('count', () => incremental.count(site, signal), signal),
        changed: (site, since, signal) =>
          read('list', () => incremental.changed(site, since, signal), signal),
      },
    }),
  };
};
