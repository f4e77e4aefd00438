import type { StoredSite } from '../storage/sites.js';
import type { Storage } from '../storage/storage.js';
import { commandLine } from './commandLine.js';
import { CommandError, wholeNumber } from './io.js';

/** The id of a site as a person gave it. */
export const siteId = (given: string, option = 'id'): number => wholeNumber(option, given, 1, 2_147_483_647);

/** The site that a person named by its id. */
export const siteWithId = async (storage: Storage, given: string, option?: string): Promise<StoredSite> => {
  const id = siteId(given, option);
  const site = (await storage.sites.all()).find((known) => known.id === id);
  return site ?? noSite(given);
};

export const noSite = (given: string): never => {
  throw new CommandError(`there is no site ${given}: see ${commandLine('site list')}`);
};
