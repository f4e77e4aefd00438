import { expect, test } from '@jest/globals';
import { newId, nodeSystem } from '../../../src/lib/system.js';
import type { AuditDraft } from '../../../src/audit/auditTable.js';
import type { Intent } from '../../../src/vouchers/intentTable.js';
import { raceRounds } from '../../support/races.js';
import { addSite, someIntent, someKey, someRecord, someTime, someVoucher } from '../../support/records.js';
import { someWebhook } from './outbox.js';
import type { Shared } from './sharedDatabase.js';

export const controllerTableConformance = (shared: () => Shared): void => {
  const tables = () => shared().tables;
  const table = () => tables().controllers;
  const revision = () => tables().revisions.current('sites');
  const stored = async (id: number) => (await table().all()).find((controller) => controller.id === id);
  const row = (id: number) =>
    shared().database.read('controllers').where({ id }).first<Record<string, unknown> | undefined>();
  /** No other voucher has its code. */
  const recordFor = (site: Parameters<typeof someRecord>[0], intentId: string) =>
    someRecord(site, { intentId, answer: 'first', voucher: someVoucher({ code: intentId }) });
  const add = (values: { name?: string; sealedCredentials?: string } = {}) => {
    const name = `controller ${newId(nodeSystem)}`;
    return table().add({ name, kind: 'unifi', settings: { url: 'https://a' }, ...values }, someTime);
  };

  test('a controller is stored with name, kind, settings and sealed credentials', async () => {
    const controller = {
      name: 'Konsole Süd',
      kind: 'simulated',
      settings: { latencyMs: 5, fault: 'none' },
      sealedCredentials: 'sealed',
      identity: 'AB:CD',
    };
    const id = await table().add(controller, someTime);
    expect(await stored(id)).toStrictEqual({ id, ...controller });
  });

  test('settings and credentials can be replaced, and those of no other are', async () => {
    const [id, other] = [await add(), await add({ sealedCredentials: 'other' })];
    const before = await revision();
    await table().change(id, { settings: { url: 'https://b', maxCalls: 2 } });
    await table().change(id, { sealedCredentials: 'sealed anew' });
    expect(await stored(id)).toMatchObject({
      settings: { url: 'https://b', maxCalls: 2 },
      sealedCredentials: 'sealed anew',
    });
    expect(await stored(other)).toMatchObject({
      settings: { url: 'https://a' },
      sealedCredentials: 'other',
    });
    expect(await revision()).toBe(before + 2);
  });

  test('a change that was made from earlier settings does not undo a later one', async () => {
    const id = await add();
    const earlier = { settings: { url: 'https://a' } };
    await table().change(id, { settings: { url: 'https://b' } }, undefined, earlier);
    await expect(
      table().change(id, { settings: { url: 'https://c' } }, undefined, earlier),
    ).rejects.toMatchObject({ name: 'Refusal', code: 'changed-meanwhile' });
    expect(await stored(id)).toMatchObject({ settings: { url: 'https://b' } });
  });

  test('what is not given when a controller is changed stays', async () => {
    const id = await add({ name: 'Vorher', sealedCredentials: 'sealed' });
    const before = await revision();
    await table().change(id, { name: 'Nachher' });
    expect(await stored(id)).toMatchObject({ name: 'Nachher', settings: { url: 'https://a' } });
    await table().change(id, { settings: { url: 'https://c' } });
    expect(await stored(id)).toMatchObject({
      name: 'Nachher',
      settings: { url: 'https://c' },
      sealedCredentials: 'sealed',
    });
    expect(await revision()).toBe(before + 2);
    await add({ name: 'Vorher' });
    await expect(table().change(id, { name: 'Vorher' })).rejects.toThrow(
      'there is already a controller named',
    );
  });

  test('what does not exist can not be changed or removed', async () => {
    expect(await table().change(2_000_000_000, { name: 'Niemand' })).toBe(false);
    expect(await table().remove(2_000_000_000, someTime)).toEqual({ outcome: 'unknown' });
  });

  test('the time of a sync is stored without a new revision, which would make every process load everything', async () => {
    const [id, other] = [await add(), await add()];
    const before = await revision();
    expect(await table().lastSyncs([id, other, 2_000_000_000])).toEqual([null, null, null]);
    await table().noteSync(id, someTime);
    expect(await table().lastSyncs([other, id])).toEqual([null, someTime]);
    expect(await revision()).toBe(before);
  });

  const audit: AuditDraft = {
    at: someTime,
    actorKind: 'user',
    actorName: 'Anna',
    address: null,
    action: 'controller.change',
    detail: {},
  };
  const entriesOf = async (subjectKind: 'controller' | 'site', id: number) =>
    (await tables().auditLog.newest({ subjectKind, subjectId: String(id) }, undefined, 10)).map(
      ({ action, subjectName }) => [action, subjectName],
    );

  test('an entry of the audit log is written with the change, and only with it', async () => {
    const first = { name: 'Protokolliert', kind: 'simulated', settings: {} };
    const id = await table().add(first, someTime, { ...audit, action: 'controller.add' });
    await table().change(id, { name: 'Umbenannt' }, audit);
    await add({ name: 'Vergeben' });
    await expect(table().change(id, { name: 'Vergeben' }, audit)).rejects.toThrow('already');
    await table().remove(id, someTime, { giveUp: false }, { ...audit, action: 'controller.remove' });
    expect(await entriesOf('controller', id)).toEqual([
      ['controller.remove', 'Umbenannt'],
      ['controller.change', 'Umbenannt'],
      ['controller.add', 'Protokolliert'],
    ]);
  });

  test('sites of a controller are added all or none, each with its entry', async () => {
    const id = await add();
    const sitesOf = async () =>
      (await tables().sites.details()).filter(({ controllerId }) => controllerId === id);
    const addSites = (...sites: [string, string | null][]) =>
      tables().sites.addOfController(
        id,
        sites.map(([name, controllerSite]) => ({ name, controllerSite })),
        { ...audit, action: 'site.add' },
      );
    const [north = 0] = await addSites(['Nord', 'n'], ['Vorgabe', null]);
    await expect(addSites(['West', 'w'], ['Noch einmal', 'n'])).rejects.toThrow('uses the site "n"');
    await expect(addSites(['West', 'w'], ['Auch', 'w'])).rejects.toThrow('uses the site "w"');
    await expect(addSites(['Vorgabe', null])).rejects.toThrow('uses the default site');
    expect(await sitesOf()).toMatchObject([
      { name: 'Nord', active: true, controllerSite: 'n', ssid: null, hasLogo: false, defaultProfileId: null },
      { name: 'Vorgabe', active: true, controllerSite: null, slipText: null },
    ]);
    expect(await entriesOf('site', north)).toEqual([['site.add', 'Nord']]);
    await expect(
      tables().sites.addOfController(2_000_000_000, [{ name: 'x', controllerSite: null }], audit),
    ).rejects.toThrow('removed');
  });

  test('a controller that no site refers to is deleted', async () => {
    const id = await add({ sealedCredentials: 'sealed' });
    const before = await revision();
    expect(await table().remove(id, someTime)).toEqual({ outcome: 'removed' });
    expect(await row(id)).toBeUndefined();
    expect(await revision()).toBe(before + 1);
  });

  test('a controller with an active site is not removed, and its active sites are returned', async () => {
    const { siteId, controllerId } = await addSite(tables(), 'Gästehaus');
    const off = { name: 'Garten', active: false, controllerId, controllerSite: null };
    await tables().sites.add(off, someTime);
    const before = await stored(controllerId);
    expect(await table().remove(controllerId, someTime)).toMatchObject({
      outcome: 'refused',
      active: [{ id: siteId, name: 'Gästehaus' }],
      openIntents: 0,
    });
    expect(await stored(controllerId)).toEqual(before);
  });

  test('a controller with an open intent is not removed', async () => {
    const { siteId, controllerId } = await addSite(tables());
    await tables().sites.change(siteId, { active: false });
    const intent = someIntent(siteId);
    await tables().intents.begin({ intent });
    expect(await table().remove(controllerId, someTime)).toEqual({
      outcome: 'refused',
      active: [],
      openIntents: 1,
    });
    expect(await stored(controllerId)).toBeDefined();
    await tables().intents.remove(intent.id);
    expect(await table().remove(controllerId, someTime)).toMatchObject({ outcome: 'kept' });
  });

  test('when open intents are given up they are removed with the controller, and their keys are free', async () => {
    const [gone, other] = [await addSite(tables()), await addSite(tables())];
    const apiKeyId = await tables().apiKeys.add(someKey());
    // More than one statement takes.
    const intents = Array.from({ length: 501 }, () => someIntent(gone.siteId));
    const claimOf = ({ id }: Intent) => ({ apiKeyId, idempotencyKey: id, fingerprint: 'body' });
    const begun = await Promise.all(
      intents.map((intent) => tables().intents.begin({ intent, claim: claimOf(intent) })),
    );
    expect(begun).not.toContain(false);
    const kept = someIntent(other.siteId);
    await tables().intents.begin({ intent: kept, claim: claimOf(kept) });
    const settled = recordFor(gone, intents[0]!.id);
    await tables().vouchers.record(settled);
    const find = (intent: Intent) => tables().idempotency.find(claimOf(intent), someTime);

    expect(await table().remove(gone.controllerId, someTime, { giveUp: true })).toMatchObject({
      outcome: 'refused',
      active: [{ id: gone.siteId }],
      openIntents: 500,
    });
    expect(await find(intents[500]!)).toMatchObject({ answer: null });

    await tables().sites.change(gone.siteId, { active: false });
    expect(await table().remove(gone.controllerId, someTime, { giveUp: true })).toMatchObject({
      outcome: 'kept',
      sites: [{ id: gone.siteId }],
      givenUp: 500,
    });
    const open = await tables().intents.all();
    expect(open.filter(({ siteId }) => siteId === gone.siteId)).toEqual([]);
    expect(open).toContainEqual(kept);
    expect(await find(intents[0]!)).toMatchObject({ answer: 'first' });
    expect(await find(intents[500]!)).toBeUndefined();
    expect(await find(kept)).toMatchObject({ answer: null });
    expect(await shared().database.read('idempotency_keys').where({ api_key_id: apiKeyId })).toHaveLength(2);
    expect(await tables().vouchers.newest(gone.siteId, 10)).toHaveLength(1);
    await tables().intents.remove(kept.id);
  });

  test('a voucher that is recorded while its intent is given up is recorded, and neither deadlocks', async () => {
    const apiKeyId = await tables().apiKeys.add(someKey());
    for (let round = 0; round < raceRounds; round++) {
      const site = await addSite(tables());
      await tables().sites.change(site.siteId, { active: false });
      const intent = someIntent(site.siteId);
      const claim = { apiKeyId, idempotencyKey: intent.id, fingerprint: 'body' };
      await tables().intents.begin({ intent, claim });
      const [removal, recorded] = await Promise.all([
        table().remove(site.controllerId, someTime, { giveUp: true }),
        tables().vouchers.record(recordFor(site, intent.id)),
      ]);
      expect([removal.outcome, recorded]).toEqual(['kept', true]);
      expect((await tables().intents.all()).filter(({ id }) => id === intent.id)).toEqual([]);
      expect(await tables().vouchers.newest(site.siteId, 10)).toHaveLength(1);
    }
  });

  test('a controller whose sites are all inactive stays without credentials, and is not listed', async () => {
    const id = await add({ name: 'Alt', sealedCredentials: 'sealed' });
    const site = { name: 'Gästehaus', active: true, controllerId: id, controllerSite: null };
    const siteId = await tables().sites.add(site, someTime);
    await tables().vouchers.record(recordFor({ siteId, controllerId: id }, newId(nodeSystem)));
    await tables().sites.change(siteId, { active: false });
    expect(await table().remove(id, someTime)).toMatchObject({ outcome: 'kept', sites: [{ id: siteId }] });
    expect(await stored(id)).toBeUndefined();
    expect(await table().removed()).toContainEqual({ id, name: 'Alt' });
    expect(await row(id)).toMatchObject({ sealed_credentials: null, removed_at: someTime });
    expect(await tables().vouchers.newest(siteId, 10)).toHaveLength(1);
  });

  test('the name of a controller that was removed is free again, as often as it is removed', async () => {
    for (let round = 0; round < 3; round++) {
      const id = await add({ name: 'Wieder' });
      const site = { name: 'x', active: false, controllerId: id, controllerSite: null };
      await tables().sites.add(site, someTime);
      expect(await table().remove(id, someTime)).toMatchObject({ outcome: 'kept' });
    }
    expect((await table().removed()).filter(({ name }) => name === 'Wieder')).toHaveLength(3);
  });

  test('a controller that was removed gets no credentials again', async () => {
    const { siteId, controllerId } = await addSite(tables());
    await tables().sites.change(siteId, { active: false });
    await table().remove(controllerId, someTime);
    await table().change(controllerId, { sealedCredentials: 'sealed' });
    expect(await row(controllerId)).toMatchObject({ sealed_credentials: null });
  });

  test('a site of a controller that was removed can be deactivated, but neither added nor activated', async () => {
    const { siteId, controllerId } = await addSite(tables());
    await tables().sites.change(siteId, { active: false });
    await table().remove(controllerId, someTime);
    expect(await tables().sites.change(siteId, { active: false })).toBe('changed');
    await expect(tables().sites.change(siteId, { active: true })).rejects.toThrow(
      `the controller of site ${siteId} was removed: add a site on another one`,
    );
    const site = { name: 'x', active: true, controllerId, controllerSite: null };
    await expect(tables().sites.add(site, someTime)).rejects.toThrow('the controller was removed');
  });

  test('of a removal and a new site at the same time one is refused, and neither deadlocks', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const controllerId = await add();
      const site = { name: 'x', active: true, controllerId, controllerSite: null };
      const [removed, added] = await Promise.allSettled([
        table().remove(controllerId, someTime),
        tables().sites.add(site, someTime),
      ]);
      expect(removed.status).toBe('fulfilled');
      const gone = removed.status === 'fulfilled' && removed.value.outcome === 'removed';
      expect(added.status).toBe(gone ? 'rejected' : 'fulfilled');
      if (!gone) expect(removed).toMatchObject({ value: { outcome: 'refused' } });
    }
  });

  test('everything that is sealed is changed at once, and both revisions are raised', async () => {
    await shared().database.write('outbox').delete();
    await shared().database.write('webhooks').delete();
    await shared().database.write('controllers').update({ sealed_credentials: null });
    const [id, bare] = [await add({ sealedCredentials: 'c' }), await add()];
    await tables().webhooks.add(someWebhook({ sealedAddress: 'a', sealedSecrets: 's' }));
    const revisions = () =>
      Promise.all((['sites', 'webhooks'] as const).map(async (name) => tables().revisions.current(name)));
    const before = await revisions();
    expect(await tables().sealed.reseal((sealed) => `${sealed}2`)).toBe(3);
    expect(await stored(id)).toMatchObject({ sealedCredentials: 'c2' });
    expect(await stored(bare)).toMatchObject({ sealedCredentials: null });
    expect(await tables().webhooks.all()).toMatchObject([{ sealedAddress: 'a2', sealedSecrets: 's2' }]);
    expect(await revisions()).toEqual(before.map((revision) => revision + 1));
  });

  test('when one value can not be changed, none is', async () => {
    const id = await add({ sealedCredentials: 'c' });
    const bad = await add({ sealedCredentials: 'bad' });
    const change = (sealed: string): string => {
      if (sealed === 'bad') throw new Error('another key');
      return `${sealed}2`;
    };
    await expect(tables().sealed.reseal(change)).rejects.toThrow('another key');
    expect(await stored(id)).toMatchObject({ sealedCredentials: 'c' });
    await table().remove(bad, someTime);
  });
};
