import { beforeEach, expect, test } from '@jest/globals';
import { raceRounds } from '../../support/races.js';
import { someTime as now } from '../../support/records.js';
import { makeOutbox, someWebhook, notificationIds } from './outbox.js';
import type { Shared } from './sharedDatabase.js';
import { answered } from '../../support/deliveryReasons.js';

const day = 24 * 60 * 60 * 1000;

export const webhookConformance = (shared: () => Shared): void => {
  const outbox = makeOutbox(shared);
  const { table, items, addWebhook, notify, of, queue } = outbox;
  beforeEach(outbox.empty);
  const webhooks = () => shared().tables.webhooks;
  const revision = () => shared().tables.revisions.current('webhooks');
  const outboxIds = (): Promise<string[]> => shared().database.read('notifications').pluck<string[]>('id');

  test('a webhook that was added is there, active, and raises the revision', async () => {
    const before = await revision();
    const wanted = someWebhook({ name: 'Buchhaltung', format: 'generic', sealedSecrets: 'also sealed' });
    const id = await webhooks().add(wanted);
    expect(await webhooks().all()).toStrictEqual([
      { ...wanted, id, active: true, reason: null, reportsControllers: false },
    ]);
    expect(await revision()).toBe(before + 1);
  });

  test('two webhooks can not have the same name', async () => {
    await webhooks().add(someWebhook({ name: 'Chat' }));
    await expect(webhooks().add(someWebhook({ name: 'Chat' }))).rejects.toThrow();
    expect(await webhooks().all()).toHaveLength(1);
  });

  test('each change is seen and raises the revision', async () => {
    const id = await addWebhook();
    const other = await addWebhook();
    const before = await revision();
    await webhooks().change(id, { active: false, reason: answered(410) });
    await webhooks().replaceSecrets(id, { from: null, to: 'sealed anew' });
    const [changed, same] = await webhooks().all();
    expect(changed).toMatchObject({
      id,
      active: false,
      reason: answered(410),
      sealedSecrets: 'sealed anew',
    });
    expect(same).toMatchObject({ id: other, active: true, reason: null, sealedSecrets: null });
    expect(await revision()).toBe(before + 2);
    // Somebody else has replaced them since they were read.
    expect(await webhooks().replaceSecrets(id, { from: null, to: 'sealed late' })).toBe(false);
    expect((await webhooks().all())[0]).toMatchObject({ sealedSecrets: 'sealed anew' });
  });

  test('a webhook is renamed, unless another one has the name', async () => {
    const id = await webhooks().add(someWebhook({ name: 'Chat' }));
    await webhooks().add(someWebhook({ name: 'Andere' }));
    expect(await webhooks().change(id, { name: 'Empfang' })).toBe(true);
    // Its own name is free for it.
    expect(await webhooks().change(id, { name: 'Empfang' })).toBe(true);
    await expect(webhooks().change(id, { name: 'Andere', active: false })).rejects.toMatchObject({
      name: 'Refusal',
      code: 'name-taken',
    });
    expect(await webhooks().change(id + 1000, { name: 'Niemand' })).toBe(false);
    expect(await webhooks().all()).toMatchObject([{ name: 'Empfang', active: true }, { name: 'Andere' }]);
  });

  test('deliveries are counted by webhook and state', async () => {
    const { webhookId, ids } = await queue(3);
    await addWebhook();
    await items().settle(ids[0]!, 'sent', null, now);
    await items().settle(ids[1]!, 'sent', null, now);
    const counts = await webhooks().counts();
    expect(counts.sort((a, b) => b.count - a.count)).toStrictEqual([
      { webhookId, state: 'delivered', count: 2 },
      { webhookId, state: 'waiting', count: 1 },
    ]);
  });

  test('removing a webhook removes its deliveries and nobody else’s', async () => {
    const { webhookId } = await queue(2);
    const kept = await addWebhook();
    const [id] = await notify(1);
    await table().dispatch(now);
    const before = await revision();
    await webhooks().remove(webhookId);
    expect((await webhooks().all()).map((webhook) => webhook.id)).toEqual([kept]);
    expect(notificationIds(await table().newest({}, 100))).toEqual([id]);
    expect(await revision()).toBe(before + 1);
  });

  test('a webhook can be removed while notifications are dispatched', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const webhookId = await addWebhook();
      await notify(20);
      // The dispatch may fail, because its webhook is gone; it is tried again with the next pass.
      const dispatched = Promise.allSettled([table().dispatch(now), table().dispatch(now)]);
      await webhooks().remove(webhookId);
      await dispatched;
      while ((await table().dispatch(now)) > 0);
      expect(await webhooks().all()).toEqual([]);
      expect(await of(webhookId)).toEqual([]);
    }
  });

  test('what was delivered or failed before the given times is removed, and what nobody needs with it', async () => {
    const { webhookId, ids } = await queue(6);
    await items().settle(ids[0]!, 'sent', null, now + 1);
    await items().settle(ids[1]!, 'sent', null, now + 2);
    await items().settle(ids[2]!, 'failed', answered(404), now + 1);
    await items().settle(ids[3]!, 'failed', answered(404), now + 2);
    await items().postpone(ids[4]!, { reason: answered(503), at: now + 5, holds: true });
    const never = { deliveredBefore: now, failedBefore: now, abandonedBefore: now };
    // A delivery and its notification.
    expect(await table().removeBefore({ ...never, deliveredBefore: now + 2 })).toBe(2);
    expect((await of(webhookId)).map(({ id }) => id)).toEqual(ids.slice(1));
    expect(await outboxIds()).toHaveLength(5);
    const later = { ...never, failedBefore: now + 2, abandonedBefore: now + 2 };
    expect(await table().countBefore(later, 10)).toBe(1);
    expect(await table().removeBefore(later)).toBe(1);
    expect((await of(webhookId)).map(({ id }) => id)).toEqual([ids[1], ids[3], ids[4], ids[5]]);
    // Also what has waited since before that time, for a webhook that was switched off and never came back.
    await webhooks().change(webhookId, { active: false, reason: null });
    expect(await table().countBefore(later, 10)).toBe(2);
    expect(await table().removeBefore(later, 1)).toBe(1);
    expect(await table().removeBefore(later)).toBe(1);
    expect((await of(webhookId)).map(({ id }) => id)).toEqual([ids[1], ids[3]]);
  });

  test('a notification is kept as long as any webhook’s delivery of it, and while it is in the outbox', async () => {
    const { ids } = await queue(1);
    await addWebhook();
    const [shown, waiting] = await notify(2);
    await shared().database.write('notifications').where({ id: waiting! }).update({ dispatched_at: now });
    await table().dispatch(now);
    const [fresh] = await notify(1);
    await items().settle(ids[0]!, 'sent', null, now);
    const bounds = { deliveredBefore: now + day, failedBefore: now, abandonedBefore: now };
    expect(await table().countBefore(bounds, 10)).toBe(2);
    // The notifications of the delivery and the one that nobody was to hear of.
    expect(await table().removeBefore(bounds)).toBe(3);
    expect((await outboxIds()).sort()).toEqual([shown, fresh].sort());
  });
};
