import { expect } from '@jest/globals';
import type { Database } from '../../src/database/database.js';

const vouchersPerOrder = 7;

const run = async <T>({ write, dialect }: Database, sql: string, values: number[] = []): Promise<T[]> => {
  const result: unknown = await write.raw(sql, values);
  return (dialect === 'sqlite' ? result : (result as { rows: unknown }).rows) as T[];
};

/** Records vouchers of site 1 that ended long ago, with orders, search words, and e-mails with every second one. */
export const addEndedVouchers = async (database: Database, orders: number): Promise<void> => {
  const numbers =
    'with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i < ? - 1)';
  await run(
    database,
    `insert into vouchers (site_id, code, name, max_uses, expire_minutes, controller_id, controller_voucher_id,
       intent_id, position, status, used_count, created_at, expires_at, words)
     ${numbers} select 1, cast(1000000000 + i as text), 'Gast', 1, 480, 1, 'v' || i,
       'o' || (i / ${String(vouchersPerOrder)}), i % ${String(vouchersPerOrder)}, 'expired', 1, i, i,
       '["gast","w' || i || '"]' from numbers`,
    [vouchersPerOrder * orders],
  );
  await run(
    database,
    `insert into orders (id, site_id, fingerprint, name, count, made, state, created_at)
     ${numbers} select 'o' || i, 1, 'a', 'Gast', 1, 1, 'made', 9000000000000 from numbers`,
    [orders],
  );
  await run(
    database,
    `insert into outbox (kind, key, voucher_id, message, state, tries, at, holds, created_at)
     select 'email', 'e' || id, id, '{"to":"a@example.org","language":"de"}', 'sent', 1, 9000000000000, false, 1
       from vouchers where id % 2 = 0`,
  );
};

export const countIn = async (database: Database, query: string): Promise<number> => {
  const [row] = await run<{ count: number }>(database, `select count(*) as count from ${query}`);
  return row?.count ?? 0;
};

/** Everything that belongs to a voucher is there, or nothing of it is. */
export const expectNothingHalfRemoved = async (database: Database): Promise<void> => {
  const count = (query: string): Promise<number> => countIn(database, query);
  expect(await count('voucher_words')).toBe(2 * (await count('vouchers')));
  expect(await count('voucher_words where not exists (select 1 from vouchers where id = voucher_id)')).toBe(
    0,
  );
  expect(await count('outbox')).toBe(await count('vouchers where id % 2 = 0'));
  expect(await count('orders')).toBe(
    await count('(select distinct intent_id from vouchers where intent_id is not null) as needed'),
  );
};
