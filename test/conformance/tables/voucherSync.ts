import { beforeEach, expect, test } from '@jest/globals';
import { newId, nodeSystem } from '../../../src/lib/system.js';
import type { Voucher, VoucherSyncState } from '../../../src/vouchers/voucherTable.js';
import { addSite, someRecord, someTime, someVoucher } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const voucherSyncConformance = (shared: () => Shared): void => {
  let place: { siteId: number; controllerId: number };
  beforeEach(async () => {
    place = await addSite(shared().tables);
  });
  const vouchers = () => shared().tables.vouchers;
  const record = async (
    controllerVoucherId: string | null,
    values: Partial<Voucher> = {},
    at = place,
  ): Promise<void> => {
    await vouchers().record(someRecord(at, { controllerVoucherId, voucher: someVoucher(values) }));
  };
  const stateOf = async (id: string): Promise<VoucherSyncState> => {
    const [state] = await vouchers().states(place.controllerId, [id]);
    if (!state) throw new Error(`${id} is not recorded`);
    return state;
  };
  const revision = async (siteId: number): Promise<number> =>
    shared().tables.revisions.current(`site:${siteId}`);
  /** A site on the same controller. */
  const addNeighbour = async () => {
    const { controllerId } = place;
    const site = { name: 'Nebengebäude', active: true, controllerId, controllerSite: null };
    return { controllerId, siteId: await shared().tables.sites.add(site, someTime) };
  };

  test('what is recorded of a controller’s vouchers is found by their ids', async () => {
    await record('a', { maxUses: 3, usedCount: 2, expiresAt: someTime });
    await record('b', { status: 'used' });
    await record('a', {}, await addSite(shared().tables));
    const states = await vouchers().states(place.controllerId, ['a', 'b', 'elsewhere']);
    expect(states.sort((one, other) => one.id - other.id)).toStrictEqual([
      {
        id: expect.any(Number),
        siteId: place.siteId,
        controllerVoucherId: 'a',
        maxUses: 3,
        usedCount: 2,
        status: 'valid',
        expiresAt: someTime,
      },
      expect.objectContaining({ controllerVoucherId: 'b', status: 'used', expiresAt: null }),
    ]);
    expect(await vouchers().states(place.controllerId, [])).toEqual([]);
  });

  test('uses, status and expiry are corrected, and nothing else', async () => {
    await record('a', { code: '0123456789', maxUses: 2, createdAt: someTime });
    const far = 8_640_000_000_000_000;
    await vouchers().correct([{ ...(await stateOf('a')), usedCount: 2, status: 'used', expiresAt: far }]);
    expect(await vouchers().newest(place.siteId, 10)).toStrictEqual([
      someVoucher({ code: '0123456789', maxUses: 2, usedCount: 2, status: 'used', expiresAt: far }),
    ]);
    await vouchers().correct([{ ...(await stateOf('a')), expiresAt: null }]);
    expect(await stateOf('a')).toMatchObject({ usedCount: 2, expiresAt: null });
  });

  test('a correction raises the revisions of the sites concerned, each by one, and no other', async () => {
    const neighbour = await addNeighbour();
    for (const id of ['a', 'b']) await record(id);
    await record('c', {}, neighbour);
    const before = await Promise.all([place, neighbour].map(({ siteId }) => revision(siteId)));
    const states = await vouchers().states(place.controllerId, ['a', 'b']);
    await vouchers().correct(states.map((state) => ({ ...state, usedCount: 1 })));
    const after = await Promise.all([place, neighbour].map(({ siteId }) => revision(siteId)));
    expect(after).toEqual([before[0]! + 1, before[1]!]);
  });

  test('without any correction nothing is written', async () => {
    const before = await revision(place.siteId);
    await vouchers().correct([]);
    expect(await revision(place.siteId)).toBe(before);
  });

  test('corrections are written all or none', async () => {
    await record('a');
    const state = await stateOf('a');
    const impossible = { ...state, status: null as unknown as 'valid' };
    const neighbour = await addNeighbour();
    await record('b', {}, neighbour);
    const other = { ...(await stateOf('b')), usedCount: 1 };
    await expect(vouchers().correct([other, impossible])).rejects.toThrow();
    expect(await stateOf('b')).toMatchObject({ usedCount: 0 });
  });

  test('500 vouchers are found and corrected at a time', async () => {
    const ids = Array.from({ length: 500 }, () => newId(nodeSystem));
    await Promise.all(ids.map((id) => record(id)));
    const states = await vouchers().states(place.controllerId, ids);
    expect(states).toHaveLength(500);
    await vouchers().correct(
      states.map((state, index) => ({ ...state, usedCount: index, status: 'used', expiresAt: index })),
    );
    const corrected = await vouchers().states(place.controllerId, ids);
    for (const { id, usedCount, expiresAt } of corrected) {
      const index = states.findIndex((state) => state.id === id);
      expect([usedCount, expiresAt]).toEqual([index, index]);
    }
  });

  test('unexpired vouchers that have a controller id are returned page by page', async () => {
    const neighbour = await addNeighbour();
    for (const id of ['e', 'a', 'c']) await record(id);
    await record('d', { status: 'used' }, neighbour);
    await record('b', { status: 'expired' });
    await record(null);
    const unexpired = (siteId: number, after: string, limit: number) =>
      vouchers().unexpiredIds(place.controllerId, siteId, after, limit);
    expect(await unexpired(place.siteId, '', 2)).toEqual(['a', 'c']);
    expect(await unexpired(place.siteId, 'c', 2)).toEqual(['e']);
    expect(await unexpired(place.siteId, 'e', 2)).toEqual([]);
    expect(await unexpired(neighbour.siteId, '', 10)).toEqual(['d']);
  });

  test('how many vouchers are recorded for sites can be asked', async () => {
    const neighbour = await addNeighbour();
    expect(await vouchers().count([place.siteId])).toBe(0);
    await record('a', { status: 'expired' });
    await record(null);
    await record('b', {}, neighbour);
    expect(await vouchers().count([place.siteId])).toBe(2);
    expect(await vouchers().count([place.siteId, neighbour.siteId])).toBe(3);
  });
};
