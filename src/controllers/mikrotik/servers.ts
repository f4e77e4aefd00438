import { ControllerError } from '../errors.js';
import { asText, type Fields } from '../parsing.js';
import type { RestApi } from './restApi.js';
import type { Signal } from './store.js';

/** What RouterOS calls any hotspot server. */
export const allServers = 'all';

const maxShown = 10;

/** The hotspot servers of a router, which are the sites that a voucher may be for. */
export interface HotspotServers {
  all(signal: Signal): Promise<readonly Fields[]>;
  /** The server with this name; null for all. Throws for one that there is not. */
  resolve(site: string | null, signal: Signal): Promise<string | null>;
}

export const makeHotspotServers = (api: RestApi, name: string): HotspotServers => {
  let known: readonly string[] = [];

  const all = async (signal: Signal): Promise<readonly Fields[]> => {
    const servers = await api.print('/ip/hotspot', { properties: ['name', 'profile'] }, signal);
    known = servers.flatMap((server) => asText(server['name']) ?? []);
    return servers;
  };

  return {
    all,
    resolve: async (site, signal) => {
      if (site === null || site === allServers) return null;
      if (!known.includes(site)) await all(signal);
      if (!known.includes(site))
        throw new ControllerError(name, {
          kind: 'site',
          reason: 'not-listed',
          site,
          known: [allServers, ...known].slice(0, maxShown),
        });
      return site;
    },
  };
};
