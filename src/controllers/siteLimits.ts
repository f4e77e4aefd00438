import { SecretError } from '../secrets/encryption.js';
import { SettingsError } from './errors.js';
import type { KeptLimits } from './keptLimits.js';
import type { SiteDirectory } from './siteDirectory.js';

/** Tells which limits the controllers of some sites keep. Sites whose controllers keep whatever the service takes are left out. */
export type FindKeptLimits = (siteIds: readonly number[]) => Promise<ReadonlyMap<number, KeptLimits>>;

export const makeFindKeptLimits =
  (sites: Pick<SiteDirectory, 'findActive'>): FindKeptLimits =>
  async (siteIds) => {
    const keptAt = async (id: number): Promise<KeptLimits | undefined> => {
      try {
        return (await sites.findActive(id))?.controller.keptLimits;
      } catch (error) {
        // An order says that such a controller can not be used.
        if (error instanceof SecretError || error instanceof SettingsError) return undefined;
        throw error;
      }
    };
    const all = await Promise.all(siteIds.map(async (id) => ({ id, kept: await keptAt(id) })));
    return new Map(all.flatMap(({ id, kept }): [number, KeptLimits][] => (kept ? [[id, kept]] : [])));
  };
