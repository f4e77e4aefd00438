import { expect, test } from '@jest/globals';
import { addSite, someTime } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

const audit = {
  at: someTime,
  actorKind: 'system',
  actorName: null,
  address: null,
  action: 'profile.change',
  detail: {},
} as const;
const profile = (name: string, siteIds: number[] | null) => ({
  name,
  nameKey: name.toLowerCase(),
  maxUses: 2_147_483_647,
  expireMinutes: 1440,
  down: 1,
  up: 2,
  quotaMb: 3,
  siteIds,
});

/** Profiles, and what the pages store of sites. */
export const profileConformance = (shared: () => Shared): void => {
  test('a profile is stored for all sites, for some or for none, changed as a whole and removed', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const id = await tables.profiles.add(profile('Alle', null), audit);
    expect(typeof id).toBe('number');
    const stored = async () => (await tables.profiles.all()).find((known) => known.id === id);
    const { nameKey: _, ...values } = profile('Alle', null);
    expect(await stored()).toStrictEqual({ id, ...values, position: null, isDefault: false });
    expect(await tables.profiles.change(Number(id), profile('Einer', [siteId]), audit)).toBe('changed');
    expect(await stored()).toMatchObject({ name: 'Einer', siteIds: [siteId] });
    await tables.profiles.change(Number(id), profile('Einer', []), audit);
    expect(await stored()).toMatchObject({ siteIds: [] });
    expect(await tables.profiles.remove(Number(id), audit)).toBe('removed');
    expect(await stored()).toBeUndefined();
    expect(await tables.profiles.remove(Number(id), audit)).toBe('unknown-profile');
  });

  test('of profiles with the same name that are added at the same time one is stored', async () => {
    const { profiles } = shared().tables;
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => profiles.add(profile('Gleich', null), audit)),
    );
    expect(outcomes.filter((outcome) => outcome === 'name-taken')).toHaveLength(3);
  });

  test('a site is not left with a default that is being removed', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const id = Number(await tables.profiles.add(profile('Flüchtig', null), audit));
    const [outcome] = await Promise.all([
      tables.sites.change(siteId, { defaultProfileId: id }),
      tables.profiles.remove(id, audit),
    ]);
    expect(['changed', 'unknown-profile']).toContain(outcome);
    const site = (await tables.sites.details()).find((known) => known.id === siteId);
    expect(site?.defaultProfileId).toBeNull();
  });

  test('changes of profiles raise their revision, and that of the sites when a default goes', async () => {
    const { profiles, sites, revisions, ...tables } = shared().tables;
    const { siteId } = await addSite({ profiles, sites, revisions, ...tables });
    const id = Number(await profiles.add(profile('Vorgabe', null), audit));
    await sites.change(siteId, { defaultProfileId: id });
    const before = [await revisions.current('profiles'), await revisions.current('sites')] as const;
    await profiles.change(id, profile('Vorgabe', [siteId]), audit);
    expect(await revisions.current('sites')).toBe(before[1]);
    await profiles.remove(id, audit);
    expect(await revisions.current('profiles')).toBe(before[0] + 2);
    expect(await revisions.current('sites')).toBe(before[1] + 1);
  });

  test('a logo is stored byte by byte, replaced and removed', async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const image = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const logoAudit = { ...audit, action: 'site.logo' } as const;
    expect(await tables.siteLogos.set(siteId, { mediaType: 'image/png', image }, logoAudit)).toBe(true);
    expect(await tables.siteLogos.find(siteId)).toEqual({ mediaType: 'image/png', image });
    const other = { mediaType: 'image/jpeg', image: Buffer.from('x') } as const;
    await tables.siteLogos.set(siteId, other, logoAudit);
    expect(await tables.siteLogos.find(siteId)).toEqual(other);
    const hasLogo = async () => (await tables.sites.details()).find((known) => known.id === siteId)?.hasLogo;
    expect(await hasLogo()).toBe(true);
    expect(await tables.siteLogos.remove(siteId, logoAudit)).toBe(true);
    expect([await hasLogo(), await tables.siteLogos.find(siteId)]).toEqual([false, undefined]);
    expect(await tables.siteLogos.set(2_000_000_000, other, logoAudit)).toBe(false);
  });

  test('profiles have the order that they were given, and new ones come last, by name', async () => {
    const { profiles } = shared().tables;
    const ids: number[] = [];
    for (const name of ['Ordnung A', 'Ordnung B', 'Ordnung C'])
      ids.push(Number(await profiles.add(profile(name, null), audit)));
    const order = async () => (await profiles.all()).map(({ id }) => id);
    const wanted = [...ids.toReversed(), ...(await order()).filter((id) => !ids.includes(id))];
    await profiles.reorder(wanted, await profiles.revision(), audit);
    expect(await order()).toEqual(wanted);
    const late: number[] = [];
    for (const name of ['Spät Z', 'Spät A'])
      late.push(Number(await profiles.add(profile(name, null), audit)));
    expect(await order()).toEqual([...wanted, ...late.toReversed()]);
  });

  test('of two orders that are made of the same list one is stored, and the other is told', async () => {
    const { profiles } = shared().tables;
    await profiles.add(profile('Zugleich', null), audit);
    const [ids, revision] = [(await profiles.all()).map(({ id }) => id), await profiles.revision()];
    const outcomes = await Promise.allSettled(
      [ids, ids.toReversed()].map((order) => profiles.reorder(order, revision, audit)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'changed-meanwhile' },
    });
    // The one that was refused has raised nothing.
    expect(await profiles.revision()).toBe(revision + 1);
    const refused = { code: 'changed-meanwhile' };
    await expect(profiles.reorder(ids.slice(1), revision + 1, audit)).rejects.toMatchObject(refused);
    await expect(profiles.reorder([...ids, 9999], revision + 1, audit)).rejects.toMatchObject(refused);
    const twice = [...ids.slice(1), ids[1] ?? 0];
    await expect(profiles.reorder(twice, revision + 1, audit)).rejects.toMatchObject(refused);
  });

  test('there is one default, however many are made it at the same time, and a removed one leaves none', async () => {
    const { profiles } = shared().tables;
    const ids: number[] = [];
    for (const name of ['Standard A', 'Standard B', 'Standard C'])
      ids.push(Number(await profiles.add(profile(name, null), audit)));
    await Promise.all(ids.map((id) => profiles.setDefault(id, audit)));
    const defaults = async () => (await profiles.all()).filter(({ isDefault }) => isDefault);
    const [chosen, ...others] = await defaults();
    expect(others).toEqual([]);
    expect(ids).toContain(chosen?.id);
    // A change of the profile leaves its place and that it is the default.
    expect(await profiles.change(chosen?.id ?? 0, profile('Standard X', null), audit)).toBe('changed');
    expect(await defaults()).toMatchObject([{ name: 'Standard X' }]);
    expect(await profiles.setDefault(9999, audit)).toBe('unknown-profile');
    expect(await defaults()).toHaveLength(1);
    await profiles.remove(chosen?.id ?? 0, audit);
    expect(await defaults()).toEqual([]);
    await profiles.setDefault(ids.find((id) => id !== chosen?.id) ?? 0, audit);
    await profiles.setDefault(null, audit);
    expect(await defaults()).toEqual([]);
  });
};
