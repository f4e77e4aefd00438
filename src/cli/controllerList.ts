import type { StoredController } from '../storage/controllers.js';
import type { StoredSite } from '../storage/sites.js';
import { commandLine } from './commandLine.js';
import { addressOf, shortSite, trustOf } from './controllerNamed.js';
import { printList, type Io } from './io.js';
import { withStorage } from './withStorage.js';

export const listControllers = (io: Io, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const sites = await storage.sites.all();
    printList(
      io,
      json,
      (await storage.controllers.all()).map((stored) => describe(stored, sites)),
      ({ name, kind, address, trust, sites: tied }) => ({
        name,
        kind,
        address: address ?? '-',
        trust: trust ?? '-',
        sites: tied.map(shortSite).join(', ') || '-',
      }),
      `no controllers yet: ${commandLine('controller add --name N --kind K')}; the kind simulated needs no hardware`,
    );
  });

/** Everything but what it is signed in to with, and the text of certificates. */
const describe = (stored: StoredController, sites: readonly StoredSite[]) => {
  const { id, name, kind } = stored;
  const { url: _url, ca: _ca, ...settings } = stored.settings;
  const address = addressOf(stored) ?? null;
  return {
    id,
    name,
    kind,
    address,
    trust: address === null ? null : trustOf(stored),
    settings,
    sites: sites
      .filter(({ controllerId }) => controllerId === id)
      .map(({ id: siteId, name: site, active, controllerSite }) => ({
        id: siteId,
        name: site,
        active,
        controllerSite,
      })),
  };
};
