import { isDeepStrictEqual } from 'node:util';
import type { Effects } from '../effects.js';
import type { Log } from '../log.js';
import { credentialsBinding } from '../sealedBinding.js';
import type { Secrets } from '../secrets.js';
import { parseConnectionSettings } from './connection/settings.js';
import { SettingsError, type Controller, type ControllerVoucher } from './controller.js';
import { makeSimulated } from './simulated/simulated.js';
import { parseSimulatedSettings } from './simulated/settings.js';
import { unifiCredentials } from './unifi/settings.js';
import { makeUnifi } from './unifi/unifi.js';
import { makeUnifiClassic, unifiClassicCredentials } from './unifiClassic/unifiClassic.js';

/** What a controller is made from. */
export interface ControllerSpec {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Users, passwords, keys: never to be shown or logged. */
  readonly credentials: Credentials;
}

/** A controller as it is stored, its credentials sealed. */
export interface SealedController extends Omit<ControllerSpec, 'credentials'> {
  readonly sealedCredentials: string | null;
}

export type Credentials = Readonly<Record<string, string>>;

/** By what a controller's voucher is known in the records. */
export type VoucherKey = Pick<ControllerVoucher, 'id' | 'code' | 'name'>;

/**
 * Those of a controller's vouchers that are not recorded: neither by the controller's id, nor by the code together with
 * the name, for whatever controller. With `anyName` the code alone counts, for vouchers whose name was altered.
 */
export type Unrecorded = <T extends VoucherKey>(
  controllerId: number,
  vouchers: readonly T[],
  anyName?: boolean,
) => Promise<T[]>;

export interface ControllerSurroundings {
  readonly dataDir: string;
  readonly effects: Effects;
  readonly log: Log;
  /** How long one call may take. */
  readonly deadlineMs: number;
  readonly unrecorded: Unrecorded;
  /** Opens what is sealed; read anew each time, because the key may have been replaced. */
  secrets(): Secrets;
}

interface Kind {
  /** The secrets that `controller add` asks for, by their names in `credentials`, and what each is. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Throws `SettingsError` on settings that can't be used. */
  check(settings: Readonly<Record<string, unknown>>): unknown;
  make(spec: ControllerSpec, surroundings: ControllerSurroundings): Controller;
}

/** One line per kind. */
const kinds: Readonly<Record<string, Kind>> = {
  simulated: {
    credentials: {},
    check: parseSimulatedSettings,
    make: (spec, around) => makeSimulated({ ...spec, ...around }),
  },
  unifi: {
    credentials: unifiCredentials,
    check: parseConnectionSettings,
    make: (spec, around) => makeUnifi({ ...spec, ...around }),
  },
  'unifi-classic': {
    credentials: unifiClassicCredentials,
    check: parseConnectionSettings,
    make: (spec, around) => makeUnifiClassic({ ...spec, ...around }),
  },
};

export const controllerKinds = Object.keys(kinds);

const kindOf = (name: string): Kind => {
  const kind = kinds[name];
  if (!kind) throw new SettingsError(`kind: ${name} is not allowed: one of ${controllerKinds.join(', ')}`);
  return kind;
};

export const checkController = ({ kind, settings }: Pick<ControllerSpec, 'kind' | 'settings'>): void => {
  kindOf(kind).check(settings);
};

/** The secrets that a kind needs, by name, and what each is. */
export const credentialsOf = (kind: string): Kind['credentials'] => kindOf(kind).credentials;

/** Live controllers: one per stored controller, shared by its sites, made when first needed. */
export interface ControllerRegistry {
  get(stored: SealedController): Controller;
  /** Ends those that are not among these any more. */
  keepOnly(ids: readonly number[]): void;
  close(): Promise<void>;
}

interface Live {
  stored: SealedController;
  readonly spec: ControllerSpec;
  readonly controller: Controller;
}

export const makeControllerRegistry = (surroundings: ControllerSurroundings): ControllerRegistry => {
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
            surroundings.secrets().open(sealedCredentials, credentialsBinding({ id, kind, settings })),
          ) as Credentials),
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
      // What was only sealed again is the same: its connections and its session stay.
      if (known && isDeepStrictEqual(known.spec, spec)) {
        known.stored = stored;
        return known.controller;
      }
      const controller = kindOf(spec.kind).make(spec, surroundings);
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
