import { ControllerError } from '../errors.js';
import { asText, parseId } from '../parsing.js';
import type { OmadaApi } from './openApi.js';

interface OmadaSite {
  readonly id: string;
  readonly name: string;
}

export interface OmadaSites {
  all(signal?: AbortSignal): Promise<readonly OmadaSite[]>;
  /** Calls `work` with the path of a site; null is the only one. */
  use<T>(id: string | null, work: (path: string) => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
}

export const makeOmadaSites = (api: OmadaApi, name: string): OmadaSites => {
  /** The id of the only site, once it is known. */
  let only: string | undefined;

  const all = async (signal?: AbortSignal): Promise<readonly OmadaSite[]> => {
    const { items } = await api.list({ path: '/sites', signal });
    return items.map((item) => {
      const id = parseId(item['siteId']);
      // Without one the path would be that of no site.
      if (id === undefined) throw new ControllerError(name, { kind: 'unreadable', reason: 'list' });
      return { id, name: asText(item['name']) ?? id };
    });
  };

  const findOnly = async (signal: AbortSignal | undefined): Promise<string> => {
    const sites = await all(signal);
    const [site] = sites;
    if (!site || sites.length > 1)
      throw new ControllerError(name, {
        kind: 'site',
        reason: 'several',
        known: sites.slice(0, 10).map(({ id }) => id),
      });
    return site.id;
  };

  return {
    all,
    use: async (id, work, signal) => {
      const site = id ?? (only ??= await findOnly(signal));
      try {
        return await work(`/sites/${encodeURIComponent(site)}`);
      } catch (error) {
        // It was deleted; another may be the only one by now.
        if (error instanceof ControllerError && error.code === 'site') only = undefined;
        throw error;
      }
    },
  };
};
