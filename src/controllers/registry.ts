import { isDeepStrictEqual } from 'node:util';
import type { Effects } from '../effects.js';
import { SettingsError, type Controller } from './controller.js';
import { makeSimulated } from './simulated/simulated.js';
import { parseSimulatedSettings } from './simulated/settings.js';

/** What a controller is made from. */
export interface ControllerSpec {
  readonly id: number;
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface ControllerSurroundings {
  readonly dataDir: string;
  readonly effects: Effects;
}

interface Kind {
  /** Throws `SettingsError` on settings that can't be used. */
  check(settings: Readonly<Record<string, unknown>>): unknown;
  make(spec: ControllerSpec, surroundings: ControllerSurroundings): Controller;
}

/** One line per kind. */
const kinds: Readonly<Record<string, Kind>> = {
  simulated: { check: parseSimulatedSettings, make: (spec, around) => makeSimulated({ ...spec, ...around }) },
};

export const controllerKinds = Object.keys(kinds);

const kindOf = (name: string): Kind => {
  const kind = kinds[name];
  if (!kind) throw new SettingsError(`kind: ${name} is not allowed: one of ${controllerKinds.join(', ')}`);
  return kind;
};

export const checkController = ({ kind, settings }: Omit<ControllerSpec, 'id'>): void => {
  kindOf(kind).check(settings);
};

/** Live controllers: one per stored controller, shared by its sites, made when first needed. */
export interface ControllerRegistry {
  get(spec: ControllerSpec): Controller;
  close(): Promise<void>;
}

export const makeControllerRegistry = (surroundings: ControllerSurroundings): ControllerRegistry => {
  const live = new Map<number, { spec: ControllerSpec; controller: Controller }>();
  return {
    get: (spec) => {
      const known = live.get(spec.id);
      if (known && (known.spec === spec || isDeepStrictEqual(known.spec, spec))) return known.controller;
      const controller = kindOf(spec.kind).make(spec, surroundings);
      live.set(spec.id, { spec, controller });
      void known?.controller.close();
      return controller;
    },
    close: async () => {
      await Promise.all([...live.values()].map(({ controller }) => controller.close()));
      live.clear();
    },
  };
};
