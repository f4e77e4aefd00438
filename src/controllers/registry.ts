import { isDeepStrictEqual } from 'node:util';
import { credentialsBinding } from '../secrets/secrets.js';
import type { Controller, ControllerCredentials, ControllerSpec, ControllerDeps } from './controller.js';
import { parseConnectionSettings } from './https/settings.js';
import { makeSimulated, parseSimulatedSettings } from './simulated/simulated.js';
import { makeUnifi, unifiCredentials } from './unifi/unifi.js';
import { makeUnifiClassic, unifiClassicCredentials } from './unifiClassic/unifiClassic.js';
import { SettingsError } from './errors.js';

/** A controller as it is stored, its credentials sealed. */
interface SealedController extends Omit<ControllerSpec, 'credentials'> {
  readonly sealedCredentials: string | null;
}

interface ControllerKind {
  /** The secrets that `controller add` asks for, by their names in `credentials`, and what each is. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Throws `SettingsError` on settings that can't be used. */
  check(settings: Readonly<Record<string, unknown>>): unknown;
  make(spec: ControllerSpec, deps: ControllerDeps): Controller;
}

/** One line per kind. */
const kinds: Readonly<Record<string, ControllerKind>> = {
  simulated: {
    credentials: {},
    check: parseSimulatedSettings,
    make: (spec, deps) => makeSimulated({ ...spec, ...deps }),
  },
  unifi: {
    credentials: unifiCredentials,
    check: parseConnectionSettings,
    make: (spec, deps) => makeUnifi({ ...spec, ...deps }),
  },
  'unifi-classic': {
    credentials: unifiClassicCredentials,
    check: parseConnectionSettings,
    make: (spec, deps) => makeUnifiClassic({ ...spec, ...deps }),
  },
};

export const controllerKinds = Object.keys(kinds);

const kindOf = (name: string): ControllerKind => {
  const kind = kinds[name];
  if (!kind) throw new SettingsError(`kind: ${name} is not allowed: one of ${controllerKinds.join(', ')}`);
  return kind;
};

export const checkControllerSettings = ({
  kind,
  settings,
}: Pick<ControllerSpec, 'kind' | 'settings'>): void => {
  kindOf(kind).check(settings);
};

/** The secrets that a kind needs, by name, and what each is. */
export const requiredCredentials = (kind: string): ControllerKind['credentials'] => kindOf(kind).credentials;

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

export const makeControllerRegistry = (deps: ControllerDeps): ControllerRegistry => {
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
  const end = (controller: Controller): void => {
    const closed = controller.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  return {
    get: (stored) => {
      const known = live.get(stored.id);
      if (known?.stored === stored) return known.controller;
      const spec = open(stored);
      // Only sealed with another key: keep its connections and its session.
      if (known && isDeepStrictEqual(known.spec, spec)) {
        known.stored = stored;
        return known.controller;
      }
      const controller = kindOf(spec.kind).make(spec, deps);
      live.set(spec.id, { stored, spec, controller });
      if (known) end(known.controller);
      return controller;
    },
    keepOnly: (ids) => {
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
