import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { draftAudit } from '../../../src/audit/audit.js';
import { addSite, someTime } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

export const kioskConformance = (shared: () => Shared): void => {
  const actor = { kind: 'user', name: 'Anna', address: null } as const;
  const add = async () => {
    const { tables } = shared();
    const { siteId } = await addSite(tables);
    const limits = { maxUses: 1, expireMinutes: 60, down: 0, up: 0, quotaMb: 0, siteIds: null };
    const name = randomUUID();
    const profile = { ...limits, name, nameKey: name };
    const profileId = Number(await tables.profiles.add(profile, draftAudit(actor, 'profile.add', someTime)));
    const kiosk = {
      ...{ tokenHash: randomUUID(), siteId, profileId, perHour: 20, asksName: true },
      ...{ createdAt: someTime, createdBy: 'Anna' },
    };
    const audit = draftAudit(actor, 'kiosk.add', someTime);
    return { ...kiosk, id: await tables.kiosks.add(kiosk, 'Hauptgebäude', audit) };
  };

  test('a kiosk is found by the hash of its token until it is removed', async () => {
    const { tables, database } = shared();
    const [first, second] = [await add(), await add()];
    expect(await tables.kiosks.find(first.tokenHash)).toStrictEqual(first);
    expect(await tables.kiosks.find('x')).toBeUndefined();
    expect((await tables.kiosks.all()).slice(0, 2)).toEqual([second, first]);
    const audit = draftAudit(actor, 'kiosk.remove', someTime);
    expect(await tables.kiosks.remove(first.id, audit)).toBe(true);
    expect(await tables.kiosks.remove(first.id, audit)).toBe(false);
    expect(await tables.kiosks.find(first.tokenHash)).toBeUndefined();
    expect(await tables.kiosks.find(second.tokenHash)).toStrictEqual(second);
    const actions = await database
      .read('audit_log')
      .where({ subject_kind: 'kiosk', subject_id: String(first.id) })
      .orderBy('id')
      .pluck('action');
    expect(actions).toEqual(['kiosk.add', 'kiosk.remove']);
  });

  test('a kiosk goes with its profile', async () => {
    const { tables } = shared();
    const { tokenHash, profileId } = await add();
    await tables.profiles.remove(profileId, draftAudit(actor, 'profile.remove', someTime));
    expect(await tables.kiosks.find(tokenHash)).toBeUndefined();
  });
};
