import { SecretError } from '../secrets/encryption.js';
import { SettingsError } from './errors.js';
import type { StoredController } from './controllerTable.js';
import type { KeptLimits } from './keptLimits.js';
import type { ControllerRegistry } from './registry.js';
import type { SiteDirectory } from './siteDirectory.js';

/** Can a controller not be used at all? An order says so. */
const isUnusable = (error: unknown): boolean =>
  error instanceof SecretError || error instanceof SettingsError;

/** Tells which limits a controller keeps; undefined where it takes whatever the service takes. */
export const makeKeptLimitsOf =
  (registry: Pick<ControllerRegistry, 'get'>) =>
  (stored: StoredController): KeptLimits | undefined => {
    try {
      return registry.get(stored).keptLimits;
    } catch (error) {
      if (isUnusable(error)) return undefined;
      throw error;
    }
  };

/**
 * Tells which limits the controllers of some sites keep. Sites
 * whose controllers keep whatever the service takes are left out.
 */
export type FindKeptLimits = (siteIds: readonly number[]) => Promise<ReadonlyMap<number, KeptLimits>>;

export const makeFindKeptLimits =
  (sites: Pick<SiteDirectory, 'findActive'>): FindKeptLimits =>
  async (siteIds) => {
    const keptAt = async (id: number): Promise<KeptLimits | undefined> => {
      try {
        return (await sites.findActive(id))?.controller.keptLimits;
      } catch (error) {
        if (isUnusable(error)) return undefined;
        throw error;
      }
    };
    const all = await Promise.all(siteIds.map(async (id) => ({ id, kept: await keptAt(id) })));
    return new Map(all.flatMap(({ id, kept }): [number, KeptLimits][] => (kept ? [[id, kept]] : [])));
  };
