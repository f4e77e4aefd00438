import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { draftAudit } from '../../../src/audit/audit.js';
import { kioskDefaults } from '../../../src/kiosks/kioskInput.js';
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
      ...{ ...kioskDefaults, tokenHash: randomUUID(), siteId, profileId, perHour: 20, asksName: true },
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

  test('a kiosk goes with its last profile, and goes on with the next one before', async () => {
    const { tables } = shared();
    const { id, tokenHash, profileId } = await add();
    const { profileId: other } = await add();
    const gone = other + 1_000_000;
    const audit = draftAudit(actor, 'kiosk.change', someTime);
    await tables.kiosks.change(id, { moreProfileIds: [gone, other] }, audit);
    const remove = (one: number) =>
      tables.profiles.remove(one, draftAudit(actor, 'profile.remove', someTime));
    await remove(profileId);
    expect(await tables.kiosks.find(tokenHash)).toMatchObject({ profileId: other, moreProfileIds: [] });
    await remove(other);
    expect(await tables.kiosks.find(tokenHash)).toBeUndefined();
  });

  test('a kiosk is changed, gets another link and a picture, each in the audit log', async () => {
    const { tables, database } = shared();
    const kiosk = await add();
    const entry = (action: 'kiosk.change' | 'kiosk.renew-link' | 'kiosk.background') =>
      draftAudit(actor, action, someTime);
    const changes = { name: 'Foyer', perDevice: 3, backgroundColour: '#2f6f4e', requiresName: true };
    expect(await tables.kiosks.change(kiosk.id, changes, entry('kiosk.change'))).toBe(true);
    const tokenHash = randomUUID();
    await tables.kiosks.change(kiosk.id, { tokenHash }, entry('kiosk.renew-link'));
    expect(await tables.kiosks.find(kiosk.tokenHash)).toBeUndefined();
    expect(await tables.kiosks.find(tokenHash)).toStrictEqual({ ...kiosk, ...changes, tokenHash });
    const picture = { mediaType: 'image/png', image: Buffer.from('picture'), version: 'a' } as const;
    const setBackground = (background: typeof picture | null) =>
      tables.kiosks.setBackground(kiosk.id, background, entry('kiosk.background'));
    await setBackground({ ...picture, image: Buffer.from('before') });
    await setBackground(picture);
    expect(await tables.kiosks.background(kiosk.id)).toMatchObject(picture);
    expect((await tables.kiosks.backgroundVersions()).get(kiosk.id)).toBe('a');
    await setBackground(null);
    expect(await tables.kiosks.background(kiosk.id)).toBeUndefined();
    expect(await tables.kiosks.change(1_000_000, { name: 'x' }, entry('kiosk.change'))).toBe(false);
    const names = await database
      .read('audit_log')
      .where({ subject_kind: 'kiosk', subject_id: String(kiosk.id) })
      .whereNot('action', 'kiosk.add')
      .orderBy('id')
      .pluck('subject_name');
    expect(names).toEqual(['Foyer', 'Foyer', 'Foyer', 'Foyer', 'Foyer']);
  });

  test('a kiosk whose printer is removed has none', async () => {
    const { tables } = shared();
    const kiosk = await add();
    const name = randomUUID();
    const printer = {
      name,
      nameKey: name,
      host: '127.0.0.1',
      port: 9100,
      paper: '80mm',
      siteIds: null,
    } as const;
    const printerId = Number(await tables.printers.add(printer, draftAudit(actor, 'printer.add', someTime)));
    await tables.kiosks.change(kiosk.id, { printerId }, draftAudit(actor, 'kiosk.change', someTime));
    await tables.printers.remove(printerId, draftAudit(actor, 'printer.remove', someTime));
    expect(await tables.kiosks.find(kiosk.tokenHash)).toMatchObject({ printerId: null });
  });
};
