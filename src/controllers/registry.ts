import { isDeepStrictEqual } from 'node:util';
import { credentialsBinding } from '../secrets/secrets.js';
import type { Controller, ControllerCredentials, ControllerSpec, ControllerDeps } from './controller.js';
import { makeControllerMonitor, type ControllerMonitor } from './health.js';
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
  /** Closes all others. */
  keepOnly(ids: readonly number[]): void;
  close(): Promise<void>;
}

interface Live {
  stored: SealedController;
  readonly spec: ControllerSpec;
  readonly controller: Controller;
}

export const makeControllerRegistry = (
  deps: ControllerDeps,
  monitor: ControllerMonitor = makeControllerMonitor(),
): ControllerRegistry => {
  const live = new Map<number, Live>();
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
      monitor.fail(id, error);
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
      const controller = monitor.watch(spec.id, makeOrFail(spec));
      live.set(spec.id, { stored, spec, controller });
      if (known) end(known.controller);
      return controller;
    },
    keepOnly: (ids) => {
      monitor.keepOnly(ids);
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
