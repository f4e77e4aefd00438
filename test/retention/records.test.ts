import { beforeEach, describe, expect, test } from '@jest/globals';
import { makeTables } from '../../src/app/tables.js';
import { someIntent, someKey } from '../support/records.js';
import { peopleDatabases } from '../support/authFixture.js';
import { forAllTests } from '../support/fixture.js';
import { outboxIdOf } from '../support/outbox.js';
import { dayMs, makeRetentionFixture, noon } from './retentionFixture.js';

const today = noon - dayMs / 2;

describe.each(peopleDatabases)('retention on %s', (_, make) => {
  const fixture = forAllTests(() => makeRetentionFixture(make), 'remove');
  beforeEach(async () => {
    await fixture.clock.set(noon);
    const tables = ['outbox', 'voucher_words', 'vouchers', 'orders', 'intents', 'notifications'];
    for (const table of [...tables, 'sessions', 'audit_log', 'key_usage', 'idempotency_keys'])
      await fixture.database.write(table).delete();
  });

  const write = (table: string) => fixture.database.write(table);
  const run = (env: Record<string, string> = {}) => fixture.retention(env).run();

  const addOrder = async (id: string, createdAt: number, state: string) => {
    await write('orders').insert({
      ...{ id, user_id: 1, site_id: fixture.place.siteId, fingerprint: 'a', name: 'Tagung', count: 1 },
      ...{ made: 1, state, created_at: createdAt },
    });
  };
  const addAudit = async (at: number) => {
    await write('audit_log').insert({
      ...{ at, actor_kind: 'user', actor_name: 'Anna', action: 'user.sign-in', detail: '{}', count: 1 },
    });
  };
  const addUsage = async (hour: number, keyId: number) => {
    await fixture.tables.keyUsage.add([{ keyId, hour, requests: 1, refusals: 0, failures: 0 }]);
  };

  test('orders that ended go after 90 days or the days that are set, open ones never', async () => {
    await addOrder('old', today - 90 * dayMs - 1, 'made');
    await addOrder('open', 1, 'open');
    await addOrder('failed', today - 90 * dayMs, 'failed');
    await addOrder('young', today - 5 * dayMs, 'made');
    expect(await run()).toMatchObject({ orders: 1 });
    expect(await run({ RETAIN_ORDERS_DAYS: '5' })).toMatchObject({ orders: 1 });
    expect(await run({ RETAIN_ORDERS_DAYS: '4' })).toMatchObject({ orders: 1 });
    expect(await fixture.database.read('orders').pluck('id')).toEqual(['open']);
  });

  test('a kind that can not be counted is removed all the same, and the others are counted', async () => {
    await addOrder('old', today - 90 * dayMs - 1, 'made');
    await addAudit(today - 400 * dayMs - 1);
    const { tables } = fixture;
    const orders = { ...tables.orders, countBefore: () => Promise.reject(new Error('statement timeout')) };
    const backlogs: [string, number][] = [];
    const observer = {
      backlog: (kind: string, rows: number) => void backlogs.push([kind, rows]),
      removed: () => undefined,
      ran: () => undefined,
    };
    const retention = fixture.retention({}, { tables: { ...tables, orders }, observer });
    expect(await retention.run()).toMatchObject({ orders: 1, audit: 1 });
    expect(backlogs).toContainEqual(['audit', 1]);
    expect(backlogs.filter(([kind]) => kind === 'orders')).toEqual([['orders', 0]]);
  });

  test('entries of the audit log go after AUDIT_DAYS', async () => {
    await addAudit(today - 400 * dayMs - 1);
    await addAudit(today - 400 * dayMs);
    expect(await run()).toMatchObject({ audit: 1 });
    expect(await run({ AUDIT_DAYS: '399' })).toMatchObject({ audit: 1 });
  });

  test('the usage of keys goes after a week or the days that are set', async () => {
    for (const keyId of [1, 2, 3]) await addUsage(today - 7 * dayMs - 3_600_000, keyId);
    await addUsage(today - 7 * dayMs, 1);
    expect(await run({ RETAIN_USAGE_DAYS: '8' })).toMatchObject({ usage: 0 });
    expect(await run()).toMatchObject({ usage: 3 });
    expect(await run({ RETAIN_USAGE_DAYS: '2' })).toMatchObject({ usage: 1 });
  });

  test('sessions go on the day after they ended, those in use stay', async () => {
    const [userId] = await write('users')
      .insert({
        ...{ name: 'Anna', name_key: `anna ${String(Math.random())}`, role: 'staff', created_at: noon },
        ...{ password_is_temporary: false, sign_in_version: 1 },
      })
      .returning<{ id: number }[]>('id');
    const add = (id: string, lastUsedAt: number, createdAt = lastUsedAt) =>
      write('sessions').insert({
        ...{ id, user_id: userId!.id, created_at: createdAt, last_used_at: lastUsedAt },
        second_factor: false,
      });
    await add('ended', today - dayMs / 2);
    await add('aged', noon, today - 30 * dayMs);
    await add('ended today', today - dayMs / 2 + 1);
    await add('in use', noon, today - 29 * dayMs);
    expect(await run()).toMatchObject({ sessions: 2 });
    expect(new Set(await fixture.database.read('sessions').pluck('id'))).toEqual(
      new Set(['ended today', 'in use']),
    );
  });

  test('e-mails go when they were settled long ago, one that waits never does', async () => {
    const voucher = await fixture.voucher();
    const [sent, young, waiting] = [
      await fixture.email(voucher, 1),
      await fixture.email(voucher, 2),
      await fixture.email(voucher, 3),
    ];
    const settle = async (id: string, at: number) =>
      fixture.tables.outbox.settle(await outboxIdOf(fixture.database, id), 'sent', null, at);
    await settle(sent, today - 90 * dayMs - 1);
    await settle(young, today - 90 * dayMs);
    expect(await run()).toMatchObject({ emails: 1 });
    expect(await run({ RETAIN_EMAILS_DAYS: '1' })).toMatchObject({ emails: 1 });
    expect(await fixture.database.read('outbox').pluck('key')).toEqual([waiting]);
  });

  test('deliveries and notifications go, but none that is not delivered while its webhook is there', async () => {
    const { tables } = fixture;
    const webhookId = await tables.webhooks.add({
      ...{ name: `Chat ${String(Math.random())}`, format: 'slack', language: 'de', sealedAddress: 'x' },
      ...{ sealedSecrets: null, createdAt: noon },
    });
    await fixture.database.write('notifications').insert(
      ['delivered', 'failed', 'waiting', 'outbox'].map((id) => ({
        ...{ id, count: 1, site: 'a', source: 'b', created_at: 1 },
        dispatched_at: id === 'outbox' ? null : 1,
      })),
    );
    await fixture.database.write('outbox').insert(
      ['delivered', 'failed', 'waiting'].map((id) => ({
        ...{ kind: 'webhook', webhook_id: webhookId, notification_id: id, tries: 1, created_at: 1 },
        ...{ state: id === 'delivered' ? 'sent' : id, holds: false },
        at: today - 30 * dayMs - 1,
      })),
    );
    // One delivery and its notification; the failed one is kept for 90 days.
    expect(await run()).toMatchObject({ deliveries: 2 });
    expect(await run({ RETAIN_DELIVERIES_DAYS: '1' })).toMatchObject({ deliveries: 2 });
    expect(await fixture.database.read('outbox').where('kind', 'webhook').pluck('state')).toEqual([
      'waiting',
    ]);
    expect(new Set(await fixture.database.read('notifications').pluck('id'))).toEqual(
      new Set(['waiting', 'outbox']),
    );
    await fixture.database.write('outbox').delete();
    await tables.webhooks.remove(webhookId);
  });

  test('idempotency keys and intents are not touched, whatever is set', async () => {
    const apiKeyId = await fixture.tables.apiKeys.add(someKey());
    const intent = someIntent(fixture.place.siteId, { createdAt: noon - 1000 });
    const claim = { apiKeyId, idempotencyKey: 'a', fingerprint: 'b' };
    await fixture.tables.intents.begin({ intent, claim });
    const env = { RETAIN_VOUCHERS_DAYS: '1', RETAIN_ORDERS_DAYS: '1', RETAIN_EMAILS_DAYS: '1' };
    await run({ ...env, RETAIN_DELIVERIES_DAYS: '1', RETAIN_USAGE_DAYS: '2', AUDIT_DAYS: '1' });
    expect(await fixture.rows('intents')).toBe(1);
    expect(await fixture.tables.idempotency.find(claim, noon)).toBeDefined();
  });

  test('a run that removed something is one entry of the audit log, another is none', async () => {
    await addOrder('a', 1, 'made');
    await addOrder('b', 1, 'failed');
    await addUsage(0, 1);
    await run();
    await run();
    const entries = await fixture.tables.auditLog.newest({}, undefined, 10);
    expect(entries).toMatchObject([
      { action: 'retention.run', actorKind: 'system', at: noon, detail: { orders: 2, usage: 1 } },
    ]);
    expect(Object.keys(entries[0]!.detail).sort()).toEqual(['orders', 'usage']);
  });

  test('what was removed, what waits and the last run are reported', async () => {
    await addOrder('a', 1, 'made');
    const events: unknown[] = [];
    const observer = {
      backlog: (kind: string, rows: number) => void (rows > 0 && events.push(['backlog', kind, rows])),
      removed: (kind: string, rows: number) => void (rows > 0 && events.push(['removed', kind, rows])),
      ran: (at: number) => void events.push(['ran', at]),
    };
    await fixture.retention({}, { observer }).run();
    expect(events).toEqual([
      ['backlog', 'orders', 1],
      ['removed', 'orders', 1],
      ['ran', noon],
    ]);
  });

  test('of two processes one runs, and the other takes over when it has died', async () => {
    for (let index = 0; index < 250; index++) await addOrder(String(index), 1, 'made');
    const pauses: (() => void)[] = [];
    const first = fixture.retention({}, { pause: () => new Promise((resolve) => pauses.push(resolve)) });
    const second = fixture.retention({}, { tables: makeTables(fixture.database, fixture.clock) });
    const running = first.run();
    while (pauses.length === 0) await new Promise(setImmediate);
    expect(await fixture.rows('orders')).toBe(200);
    expect(await second.run()).toBeUndefined();
    expect(await fixture.rows('orders')).toBe(200);
    // The first one hangs for longer than its lease.
    await fixture.clock.advance(61_000);
    expect(await second.run()).toMatchObject({ orders: 200 });
    first.stop();
    for (const resume of pauses) resume();
    expect(await running).toMatchObject({ orders: 50 });
  });

  test('a stop ends a run after the batch that it is at', async () => {
    for (let index = 0; index < 250; index++) await addOrder(String(index), 1, 'made');
    const retention = fixture.retention(
      {},
      {
        pause: () => {
          retention.stop();
          return Promise.resolve();
        },
      },
    );
    expect(await retention.run()).toMatchObject({ orders: 50 });
    expect(await fixture.rows('orders')).toBe(200);
    expect(await run()).toMatchObject({ orders: 200 });
  });
});
