import { expect, test } from '@jest/globals';
import { addSite, someTime } from '../../support/records.js';
import { controllerTableConformance } from './controllers.js';
import type { Shared } from './sharedDatabase.js';

export const siteConformance = (shared: () => Shared): void => {
  controllerTableConformance(shared);

  test('a site has a numeric identifier, a name and an active flag', async () => {
    const { tables } = shared();
    const { siteId, controllerId } = await addSite(tables, 'Gästehaus');
    const site = (await tables.sites.all()).find(({ id }) => id === siteId);
    expect(site).toStrictEqual({
      id: siteId,
      name: 'Gästehaus',
      active: true,
      controllerId,
      controllerSite: null,
    });
  });

  test('a site can be deactivated and activated again', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const isActive = async () => (await tables.sites.all()).find(({ id }) => id === siteId)?.active;
    expect(await tables.sites.change(siteId, { active: false })).toBe('changed');
    expect(await isActive()).toBe(false);
    expect(await tables.sites.change(siteId, { active: true })).toBe('changed');
    expect(await isActive()).toBe(true);
  });

  test('a site can be renamed', async () => {
    const { tables } = shared();
    const { siteId, controllerId } = await addSite(tables, 'Turm');
    expect(await tables.sites.change(siteId, { name: 'Alter Turm' })).toBe('changed');
    const site = (await tables.sites.all()).find(({ id }) => id === siteId);
    expect(site).toMatchObject({ name: 'Alter Turm', active: true, controllerId });
  });

  test('a site that does not exist is not changed', async () => {
    expect(await shared().tables.sites.change(2_000_000_000, { active: true })).toBe('unknown-site');
    expect(await shared().tables.sites.change(2_000_000_000, { name: 'Nirgends' })).toBe('unknown-site');
  });

  test('a site is tied to a controller that exists: foreign keys are on', async () => {
    const site = { name: 'Nirgends', active: true, controllerId: 2_000_000_000, controllerSite: null };
    await expect(shared().tables.sites.add(site, someTime)).rejects.toThrow(/foreign key/i);
  });

  test('every change of sites and controllers raises the revision of the sites', async () => {
    const { tables } = shared();
    const current = async (): Promise<number> => tables.revisions.current('sites');
    const before = await current();
    const { siteId } = await addSite(tables);
    const added = await current();
    await tables.sites.change(siteId, { active: false });
    const changed = await current();
    await tables.sites.change(siteId, { name: 'Turm' });
    const renamed = await current();
    expect([added - before, changed - added, renamed - changed]).toEqual([2, 1, 1]);
  });
};
