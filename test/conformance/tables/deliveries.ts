import { beforeEach, describe, expect, test } from '@jest/globals';
import { isDue, maxRetryDelayMs } from '../../../src/outbox/outboxTable.js';
import { makeTables } from '../../../src/app/tables.js';
import { openPatiently } from '../../support/databases.js';
import { raceRounds } from '../../support/races.js';
import { someTime as now } from '../../support/records.js';
import { makeOutbox, notificationIds } from './outbox.js';
import type { Shared } from './sharedDatabase.js';
import { answered } from '../../support/deliveryReasons.js';

const day = 24 * 60 * 60 * 1000;

export const deliveryConformance = (shared: () => Shared): void => {
  const outbox = makeOutbox(shared);
  const { table, items, addWebhook, notify, of, queue, drainSendable } = outbox;
  beforeEach(outbox.empty);

  describe('dispatching', () => {
    test('every active webhook gets every notification of the outbox, in the order in which they happened', async () => {
      const webhooks = [await addWebhook(), await addWebhook()];
      const ids = await notify(5);
      expect(await table().dispatch(now + 100)).toBe(5);
      for (const webhookId of webhooks) {
        const deliveries = await of(webhookId);
        expect(notificationIds(deliveries)).toEqual(ids);
        const [first] = deliveries;
        expect(first).toStrictEqual({
          id: first!.id,
          webhookId,
          state: 'waiting',
          tries: 0,
          at: now + 100,
          reason: null,
          holds: false,
          createdAt: now + 100,
          triedAt: null,
          notification: {
            type: 'voucher.created',
            id: ids[0],
            count: 1,
            site: 'Hauptgebäude',
            source: 'API: Buchungssystem',
            createdAt: now,
          },
        });
      }
    });

    test('what was dispatched is not dispatched again', async () => {
      const webhookId = await addWebhook();
      await notify(3);
      expect(await table().dispatch(now)).toBe(3);
      expect(await table().dispatch(now)).toBe(0);
      expect(await of(webhookId)).toHaveLength(3);
    });

    test('a webhook that was added or switched on later gets nothing old', async () => {
      const off = await addWebhook();
      await shared().tables.webhooks.change(off, { active: false, reason: answered(410) });
      await notify(2);
      const later = await addWebhook();
      await shared().tables.webhooks.change(off, { active: true, reason: null });
      const [fresh] = await notify(1);
      expect(await table().dispatch(now)).toBe(1);
      for (const webhookId of [off, later]) expect(notificationIds(await of(webhookId))).toEqual([fresh]);
    });

    test('without an active webhook nothing waits in the outbox, so that no process updates it', async () => {
      const off = await addWebhook();
      await shared().tables.webhooks.change(off, { active: false, reason: answered(410) });
      const ids = await notify(2);
      const stored = await shared()
        .database.read('notifications')
        .whereIn('id', ids)
        .orderBy('created_at')
        .select('created_at', 'dispatched_at');
      expect(stored).toEqual([
        { created_at: now, dispatched_at: now },
        { created_at: now + 1, dispatched_at: now + 1 },
      ]);
      expect(await table().dispatch(now)).toBe(0);
    });

    test('more than one batch is dispatched call by call, in order', async () => {
      const webhookId = await addWebhook();
      const ids = await notify(501);
      expect([await table().dispatch(now), await table().dispatch(now), await table().dispatch(now)]).toEqual(
        [500, 1, 0],
      );
      expect(notificationIds(await of(webhookId))).toEqual(ids);
    });

    test('when a delivery can not be written, none is, and the outbox stays as it is', async () => {
      const { database } = shared();
      const webhookId = await addWebhook();
      const ids = await notify(3);
      const row = { webhook_id: webhookId, notification_id: ids[1], state: 'waiting', tries: 0 };
      await database
        .write('outbox')
        .insert({ ...row, kind: 'webhook', at: now, holds: false, created_at: now });
      await expect(table().dispatch(now)).rejects.toThrow();
      expect(notificationIds(await of(webhookId))).toEqual([ids[1]]);
      await database.write('outbox').delete();
      expect(await table().dispatch(now)).toBe(3);
      expect(notificationIds(await of(webhookId))).toEqual(ids);
    });

    test('several processes that dispatch at once dispatch each notification once, in order', async () => {
      const databases = Array.from({ length: 3 }, () => openPatiently(shared().url));
      try {
        const tables = databases.map((database) => makeTables(database).deliveries);
        const webhooks = [await addWebhook(), await addWebhook()];
        const ids: string[] = [];
        for (let round = 0; round < raceRounds; round++) {
          ids.push(...(await notify(20)));
          const counts = await Promise.all([...tables, ...tables].map((one) => one.dispatch(now)));
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
        }
        for (const webhookId of webhooks) expect(notificationIds(await of(webhookId))).toEqual(ids);
      } finally {
        for (const database of databases) await database.close();
      }
    });
  });

  test('a webhook is failing once a delivery has failed twice, and while it is active', async () => {
    const { webhookId, ids } = await queue(3);
    const fail = (id: number) => items().postpone(id, { reason: answered(503), at: now + 5000, holds: true });
    const failing = async () => (await table().failing()).map(({ id }) => id);
    for (const id of ids) await fail(id);
    expect(await failing()).toEqual([]);
    for (const id of ids.slice(1)) await fail(id);
    expect(await failing()).toEqual([ids[1]]);
    await shared().tables.webhooks.change(webhookId, { active: false });
    expect(await failing()).toEqual([]);
  });

  describe('what may be sent', () => {
    test('is what is due, in order', async () => {
      const { webhookId, ids } = await queue(3);
      expect(await drainSendable(webhookId + 1, now)).toEqual([]);
      expect(await drainSendable(webhookId, now)).toEqual(ids);
    });

    test('is what was never postponed, even after the clock was set back', async () => {
      const { webhookId, ids } = await queue(3);
      expect(await drainSendable(webhookId, now - day)).toEqual(ids);
    });

    test('is what lies further ahead than any try: the clock was set back', async () => {
      const { webhookId, ids } = await queue(1);
      await items().postpone(ids[0]!, { reason: answered(400), at: now + 5000, holds: false });
      expect(await drainSendable(webhookId, now + 5000 - maxRetryDelayMs)).toEqual([]);
      expect(await drainSendable(webhookId, now + 5000 - maxRetryDelayMs - 1)).toEqual(ids);
    });

    test('is what was tried more than a minute ahead: the clock was set back', async () => {
      const { webhookId, ids } = await queue(2);
      const how = { reason: answered(503), at: now + 3_600_000, holds: true, triedAt: now };
      await items().postpone(ids[0]!, how);
      expect(await items().findNext({ kind: 'webhook', webhookId }, now - 60_001)).toMatchObject({
        id: ids[0],
      });
      const [first] = await of(webhookId);
      expect([60_000, 60_001].map((ms) => isDue(first!, now - ms))).toEqual([false, true]);
      await items().postpone(ids[0]!, { ...how, holds: false });
      expect(await drainSendable(webhookId, now - 60_000)).toEqual([ids[1]]);
    });

    test('is not what waits for its next try', async () => {
      const { webhookId, ids } = await queue(3);
      await items().postpone(ids[0]!, { reason: answered(400), at: now + 5000, holds: false });
      expect(await items().findNext({ kind: 'webhook', webhookId }, now + 5000)).toMatchObject({
        id: ids[0],
      });
      expect(await drainSendable(webhookId, now + 4999)).toEqual(ids.slice(1));
      expect((await of(webhookId))[0]).toMatchObject({
        state: 'waiting',
        tries: 1,
        reason: answered(400),
        at: now + 5000,
      });
      expect(await drainSendable(webhookId, now + 5000)).toEqual([ids[0]]);
    });

    test('begins with what holds up the rest, before it is due', async () => {
      const { webhookId, ids } = await queue(3);
      await items().postpone(ids[0]!, { reason: answered(503), at: now + 5000, holds: true });
      expect(await items().findNext({ kind: 'webhook', webhookId }, now)).toMatchObject({
        id: ids[0],
        holds: true,
        at: now + 5000,
      });
    });

    test('is nothing ahead of what holds up the rest, either', async () => {
      const { webhookId, ids } = await queue(4);
      const { webhookId: other, ids: others } = await queue(1);
      await items().postpone(ids[0]!, { reason: answered(400), at: now + 5000, holds: false });
      await items().postpone(ids[1]!, { reason: answered(400), at: now + 90_000, holds: false });
      await items().postpone(ids[2]!, {
        reason: { code: 'throttled', values: {} },
        at: now + 60_000,
        holds: true,
      });
      expect(await items().findNext({ kind: 'webhook', webhookId }, now + 59_999)).toMatchObject({
        id: ids[2],
      });
      expect(await items().findNext({ kind: 'webhook', webhookId }, now + 60_000)).toMatchObject({
        id: ids[0],
      });
      expect((await of(webhookId)).map(({ at, tries }) => [at - now, tries])).toEqual([
        [60_000, 1],
        [90_000, 1],
        [60_000, 1],
        [0, 0],
        [0, 0],
      ]);
      expect(await drainSendable(other, now)).toEqual(others);
    });

    test('is nothing that is settled', async () => {
      const { webhookId, ids } = await queue(3);
      await items().settle(ids[0]!, 'sent', null, now + 1);
      await items().settle(ids[1]!, 'failed', answered(404), now + 2);
      expect(await of(webhookId)).toMatchObject([
        { state: 'delivered', reason: null, tries: 1, at: now + 1 },
        { state: 'failed', reason: answered(404), tries: 1, at: now + 2 },
        { state: 'waiting', tries: 0 },
      ]);
      expect(await drainSendable(webhookId, now + day)).toEqual([ids[2]]);
    });
  });

  test('what is settled stays as it is when another outcome comes later', async () => {
    const { webhookId, ids } = await queue(1);
    await items().settle(ids[0]!, 'sent', null, now + 1);
    const before = await of(webhookId);
    await items().settle(ids[0]!, 'failed', answered(404), now + 2);
    await items().postpone(ids[0]!, { reason: answered(503), at: now + 5000, holds: true });
    expect(await of(webhookId)).toEqual(before);
  });

  test('a delivery that is sent again begins from the beginning', async () => {
    const { webhookId, ids } = await queue(2);
    await items().postpone(ids[0]!, { reason: answered(503), at: now + 5000, holds: true });
    await items().settle(ids[0]!, 'failed', answered(404), now + 5000);
    expect(await table().resend(ids[0]!, now + day)).toBe(true);
    const [again] = await of(webhookId);
    expect(again).toMatchObject({ state: 'waiting', tries: 0, at: now + day, createdAt: now + day });
    expect(again).toMatchObject({ reason: null, holds: false });
    expect(await table().resend(ids[1]! + 1000, now)).toBe(false);
  });

  test('deliveries that failed for good since a time are counted, and the last one is returned', async () => {
    const { ids } = await queue(4);
    expect(await items().failedSince('webhook', 0)).toEqual({ count: 0, last: undefined });
    await items().settle(ids[0]!, 'failed', answered(404), now + 3);
    await items().settle(ids[1]!, 'failed', answered(410), now + 1);
    await items().settle(ids[2]!, 'sent', null, now + 5);
    await items().postpone(ids[3]!, { reason: answered(503), at: now + 5000, holds: true });
    const last = { id: ids[0], reason: answered(404) };
    expect(await items().failedSince('webhook', now + 1)).toMatchObject({ count: 2, last });
    expect(await items().failedSince('webhook', now + 2)).toMatchObject({ count: 1, last });
    expect(await items().failedSince('webhook', now + 4)).toEqual({ count: 0, last: undefined });
  });

  test('the newest come first, of one webhook or in one state where that is asked for', async () => {
    const [one, two] = [await addWebhook(), await addWebhook()];
    const ids = await notify(3);
    await table().dispatch(now);
    const first = (await of(one))[0]!;
    await items().settle(first.id, 'failed', answered(404), now);
    expect(await table().newest({}, 100)).toHaveLength(6);
    expect(notificationIds(await table().newest({ webhookId: two }, 2))).toEqual([ids[2], ids[1]]);
    expect((await table().newest({ state: 'failed' }, 100)).map(({ id }) => id)).toEqual([first.id]);
    expect(await table().newest({ webhookId: two, state: 'failed' }, 100)).toEqual([]);
  });
};
