import type { components } from '../../generated/openapi.js';
import type { Controller } from './controller.js';
import type { ControllerRegistry } from './registry.js';
import { andThen, type Awaitable } from '../lib/awaitable.js';
import { makeCachedBody, type CachedBody } from '../lib/cachedBody.js';
import { compareNames, groupBy } from '../lib/collections.js';
import type { StoredController, ControllerTable } from './controllerTable.js';
import { makeRevisionCache, type Revisions } from '../database/revisions.js';
import type { StoredSite, SiteTable } from '../sites/siteTable.js';

type SiteList = components['schemas']['SiteList'];

/** A site with its live controller. */
export interface ConnectedSite extends StoredSite {
  readonly controller: Controller;
}

/** A site on a controller, with our sites that use it. */
export interface ControllerSite {
  readonly id: string | null;
  readonly sites: readonly StoredSite[];
}

/** A controller with its sites. */
export interface ControllerWithSites extends Pick<StoredController, 'id' | 'name' | 'kind'> {
  readonly controllerSites: readonly ControllerSite[];
  /** Returns the live controller. Throws when it can't be made, as when its credentials can't be unsealed. */
  connect(): Controller;
}

export interface SiteDirectory {
  /** The active sites, sorted by name. */
  list(): Awaitable<CachedBody<SiteList>>;
  findActive(id: number): Promise<ConnectedSite | undefined>;
  /** Finds inactive sites too. */
  find(id: number): Promise<ConnectedSite | undefined>;
  /** The controllers that have sites, active or not. */
  controllers(): Promise<readonly ControllerWithSites[]>;
}

interface Snapshot {
  readonly list: CachedBody<SiteList>;
  readonly sites: ReadonlyMap<number, StoredSite>;
  readonly controllers: ReadonlyMap<number, StoredController>;
  readonly controllersWithSites: readonly ControllerWithSites[];
}

interface SiteDirectoryTables {
  readonly sites: SiteTable;
  readonly controllers: ControllerTable;
  readonly revisions: Revisions;
}

/** Caches all sites until one of them changes. */
export const makeSiteDirectory = (
  tables: SiteDirectoryTables,
  registry: ControllerRegistry,
): SiteDirectory => {
  const current = makeRevisionCache<Snapshot>({
    revisions: tables.revisions,
    maxSize: 1,
    load: async () => {
      const [sites, controllers] = await Promise.all([tables.sites.all(), tables.controllers.all()]);
      registry.keepOnly(controllers.map(({ id }) => id));
      const active = sites.filter((site) => site.active).sort(compareNames);
      return {
        list: makeCachedBody({ sites: active.map(({ id, name }) => ({ id, name })) }),
        sites: new Map(sites.map((site) => [site.id, site])),
        controllers: new Map(controllers.map((controller) => [controller.id, controller])),
        controllersWithSites: groupSitesByController(sites, controllers, registry),
      };
    },
  });
  const findKnown = async (id: number): Promise<ConnectedSite | undefined> => {
    const { sites, controllers } = await current('sites');
    const site = sites.get(id);
    const controller = site && controllers.get(site.controllerId);
    return controller && { ...site, controller: registry.get(controller) };
  };
  /** One that is not there, or not active, may have been added or activated a moment ago. */
  const findUsable = async (
    id: number,
    isUsable: (site: StoredSite) => boolean,
  ): Promise<ConnectedSite | undefined> => {
    const known = await findKnown(id);
    if (known && isUsable(known)) return known;
    await tables.revisions.latest('sites');
    const site = await findKnown(id);
    return site && isUsable(site) ? site : undefined;
  };
  return {
    list: () => andThen(current('sites'), ({ list }) => list),
    find: (id) => findUsable(id, () => true),
    findActive: (id) => findUsable(id, ({ active }) => active),
    controllers: async () => (await current('sites')).controllersWithSites,
  };
};

const groupSitesByController = (
  sites: readonly StoredSite[],
  controllers: readonly StoredController[],
  registry: ControllerRegistry,
): ControllerWithSites[] => {
  const byController = groupBy(sites, ({ controllerId }) => controllerId);
  return controllers.flatMap((controller) => {
    const { id, name, kind } = controller;
    const bySite = groupBy(byController.get(id) ?? [], ({ controllerSite }) => controllerSite);
    if (bySite.size === 0) return [];
    return [
      {
        id,
        name,
        kind,
        controllerSites: [...bySite].map(([siteId, siblings]) => ({ id: siteId, sites: siblings })),
        connect: () => registry.get(controller),
      },
    ];
  });
};
