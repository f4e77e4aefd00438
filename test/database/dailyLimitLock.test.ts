import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { makeTables } from '../../src/app/tables.js';
import { draftAudit } from '../../src/audit/audit.js';
import { openDatabase } from '../../src/database/database.js';
import { makeSqliteDatabase } from '../support/databases.js';
import { addSite, someIntent } from '../support/records.js';

test('what is left of a day is locked for a few statements, however many orders there are', async () => {
  const file = await makeSqliteDatabase();
  const database = openDatabase(file.url);
  try {
    const tables = makeTables(database);
    const { siteId } = await addSite(tables);
    const audit = draftAudit({ kind: 'system', name: null, address: null }, 'limit.add', 1);
    const unlimited = { allowsCustom: true, maxExpireMinutes: null, maxUses: null, maxCount: null };
    const rule = { ...unlimited, role: 'staff', siteId, maxPerDay: 3, requiresName: false };
    const ruleId = Number(await tables.orderLimits.add(rule, audit));
    const statements: string[] = [];
    database.write.on('query', ({ sql }: { readonly sql: string }) => void statements.push(sql));
    // 20 users with four orders each, of which the day allows three.
    const outcomes = await Promise.allSettled(
      Array.from({ length: 80 }, (_, index) => {
        const intent = someIntent(siteId, { id: randomUUID(), origin: 'desk', createdAt: 5 });
        const order = {
          ...{ id: intent.id, userId: (index % 20) + 1, kioskId: null, siteId, fingerprint: 'a', name: '' },
          ...{ count: 1, made: 0, state: 'open' as const, reason: null, createdAt: 5 },
          allowance: { scope: { ruleId, siteId, otherSiteIds: [] }, since: 0 },
        };
        return tables.intents.begin({ intent, order });
      }),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
    const locked = statements.findIndex((sql) => sql.startsWith('update `order_limits`'));
    const released = statements.findIndex((sql, index) => index > locked && sql.startsWith('COMMIT'));
    expect(statements.slice(locked, released).map((sql) => sql.slice(0, 24))).toHaveLength(5);
  } finally {
    await database.close();
    await file.drop();
  }
});
