import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { draftAudit } from '../../src/audit/audit.js';
import { makeRateLimiter } from '../../src/apiKeys/rateLimiter.js';
import { newId, nodeSystem } from '../../src/lib/system.js';
import type { Database } from '../../src/database/database.js';
import { makeTables } from '../../src/app/tables.js';
import { tableConformance } from '../conformance/tables.js';
import {
  makeEmptyPostgresDatabase,
  makePostgresDatabase,
  openPatiently,
  type TestDatabase,
} from '../support/databases.js';
import { queriesOf } from '../support/queryLog.js';
import { raceRounds } from '../support/races.js';
import { addSite, someIntent, someKey, someRecord, someVoucher } from '../support/records.js';

describe('PostgreSQL', () => tableConformance(makeEmptyPostgresDatabase, makePostgresDatabase));

describe('several processes on one PostgreSQL', () => {
  let own: TestDatabase;
  let databases: Database[];
  beforeAll(async () => {
    own = await makePostgresDatabase();
    databases = [openPatiently(own.url), openPatiently(own.url)];
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await own.drop();
  });

  test('what has not expired of one site of a controller is found by an index of exactly that', async () => {
    const [database] = databases as [Database];
    const { write } = database;
    const { controllerId } = await addSite(makeTables(database));
    const site = { name: 'Haus', active: true, controller_id: controllerId, created_at: 0 };
    const sites = await write('sites')
      .insert(Array.from({ length: 50 }, () => site))
      .returning<{ id: number }[]>('id');
    await write.transaction(async (transaction) => {
      // Without triggers: finding the words of their names takes longer than all else.
      await transaction.raw('set local session_replication_role = replica');
      await transaction.raw(
        `insert into vouchers (site_id, code, name, max_uses, expire_minutes, controller_id, controller_voucher_id, status, used_count, created_at)
         select ? + n % 50, n::text, 'x', 1, 480, ?, n::text, case when n % 19 = 0 then 'valid' else 'expired' end, 0, n from generate_series(1, 20000) n`,
        [sites[0]!.id, controllerId],
      );
    });
    await write.raw('analyze vouchers');
    const client = new pg.Client(own.url);
    await client.connect();
    try {
      const [asked] = await queriesOf(database, () =>
        makeTables(database).vouchers.unexpiredIds(controllerId, sites[7]!.id, '2', 500),
      );
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${asked!.sql}`, [
        ...asked!.bindings,
      ]);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('vouchers_unexpired');
      expect(plan).not.toMatch(/Filter|Sort/);
    } finally {
      await client.end();
    }
  });

  test('a page of the audit log is read from the index of its times, without sorting', async () => {
    const [database] = databases as [Database];
    await database.write.raw(
      `insert into audit_log (at, actor_kind, action, detail, count)
       select n / 10, 'system', 'key.create', '{}', 1 from generate_series(1, 20000) n`,
    );
    await database.write.raw('analyze audit_log');
    const client = new pg.Client(own.url);
    await client.connect();
    try {
      const [asked] = await queriesOf(database, () =>
        makeTables(database).auditLog.newest({ from: 1 }, { at: 1000, id: 10_005 }, 50),
      );
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${asked!.sql}`, [
        ...asked!.bindings,
      ]);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('audit_log_by_time');
      expect(plan).not.toMatch(/Filter|Sort/);
    } finally {
      await client.end();
    }
  });

  test("a key's limit holds across all processes", async () => {
    const limiters = databases.map((database) => makeRateLimiter(database, nodeSystem));
    const counts = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => limiters[index % 2]!.count({ id: 1, rateLimit: 30 })),
    );
    expect(counts.filter((count) => count?.accepted)).toHaveLength(30);
  });

  test('the limit of vouchers per day holds across all processes', async () => {
    const allTables = databases.map((database) => makeTables(database));
    const { siteId } = await addSite(allTables[0]!);
    const unlimited = { allowsCustom: true, maxExpireMinutes: null, maxUses: null, maxCount: null };
    const audit = draftAudit({ kind: 'system', name: null, address: null }, 'limit.add', 1);
    const rule = { ...unlimited, role: 'staff', siteId, maxPerDay: 3, requiresName: false };
    const ruleId = Number(await allTables[0]!.orderLimits.add(rule, audit));
    const allowance = { scope: { ruleId, siteId, otherSiteIds: [] }, since: 0 };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => {
        const intent = someIntent(siteId, { id: randomUUID(), origin: 'desk', createdAt: 5 });
        const order = {
          ...{ id: intent.id, userId: 1, kioskId: null, siteId, fingerprint: 'a', name: '', count: 1 },
          ...{ made: 0, state: 'open' as const, reason: null, createdAt: 5, allowance },
        };
        return allTables[index % 2]!.intents.begin({ intent, order });
      }),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const outcome of outcomes.filter(({ status }) => status === 'rejected'))
      expect(outcome).toMatchObject({ reason: { code: 'daily-limit', values: { most: 3 } } });
    expect([...(await allTables[1]!.orders.orderedSince({ userId: 1, kioskId: null }, 0))]).toContainEqual([
      ...[siteId, 3],
    ]);
  });

  test('orders that claim the same idempotency keys in another order do not deadlock', async () => {
    const allTables = databases.map((database) => makeTables(database));
    const { siteId } = await addSite(allTables[0]!);
    const apiKeyId = await allTables[0]!.apiKeys.add(someKey());
    const errors: unknown[] = [];
    for (const { write } of databases)
      write.on('query-error', (error: { code?: string }) => void errors.push(error.code));
    for (let round = 0; round < raceRounds; round += 1) {
      const claims = Array.from({ length: 100 }, (_, number) => ({
        apiKeyId,
        idempotencyKey: `${round}-${number}`,
        fingerprint: 'a body',
      }));
      const begun = await Promise.all(
        [claims, claims.toReversed()].flatMap((ordered, process) =>
          ordered.map((claim) => allTables[process]!.intents.begin({ intent: someIntent(siteId), claim })),
        ),
      );
      expect(begun.filter(Boolean)).toHaveLength(claims.length);
    }
    expect(errors).toEqual([]);
  });

  test('processes that record the same vouchers in another order do not deadlock', async () => {
    const allTables = databases.map((database) => makeTables(database));
    const place = await addSite(allTables[0]!);
    const errors: unknown[] = [];
    for (const { write } of databases)
      write.on('query-error', (error: { code?: string }) => void errors.push(error.code));
    for (let round = 0; round < raceRounds; round += 1) {
      const name = `2026-11-14_${round}`;
      const vouchers = Array.from({ length: 100 }, () => someVoucher({ name }));
      const recorded = await Promise.all(
        [vouchers, vouchers.toReversed()].flatMap((ordered, process) =>
          ordered.map((voucher) => allTables[process]!.vouchers.record(someRecord(place, { voucher }))),
        ),
      );
      expect(recorded.filter(Boolean)).toHaveLength(vouchers.length);
    }
    expect(errors).toEqual([]);
  });

  test('of processes that record different vouchers for the same orders, one records each, and none deadlocks', async () => {
    const allTables = databases.map((database) => makeTables(database));
    const place = await addSite(allTables[0]!);
    const errors: unknown[] = [];
    for (const { write } of databases)
      write.on('query-error', (error: { code?: string }) => void errors.push(error.code));
    for (let round = 0; round < raceRounds; round += 1) {
      const intents = Array.from({ length: 10 }, () =>
        someIntent(place.siteId, { count: 20, origin: 'desk' }),
      );
      for (const intent of intents) await allTables[0]!.intents.begin({ intent });
      const someVouchers = () =>
        Array.from({ length: 20 }, () => ({ ...someVoucher(), controllerVoucherId: newId(nodeSystem) }));
      const records = [intents, intents.toReversed()].map((ordered) =>
        ordered.map(({ id }) =>
          someRecord(place, { intentId: id, vouchers: someVouchers(), order: { reason: null } }),
        ),
      );
      const outcomes = await Promise.all(
        records.map((own, process) =>
          Promise.all(own.map((record) => allTables[process]!.vouchers.record(record))),
        ),
      );
      expect(outcomes.flat().filter(Boolean)).toHaveLength(intents.length);
      for (const [process, own] of records.entries())
        for (const [index, { intentId, vouchers }] of own.entries()) {
          if (!outcomes[process]![index]) continue;
          const recorded = await allTables[0]!.vouchers.ofIntent(intentId);
          expect(recorded.map(({ code }) => code)).toEqual(vouchers.map(({ code }) => code));
        }
    }
    expect(errors).toEqual([]);
  });
});
