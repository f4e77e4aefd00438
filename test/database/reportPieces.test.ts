import { describe, expect, test } from '@jest/globals';
import { makeTables } from '../../src/app/tables.js';
import { firstAt, seedVouchers } from '../soak/search/cases.js';
import { makePostgresDatabase, makeSqliteDatabase, openPatiently } from '../support/databases.js';

describe.each([
  ['SQLite', makeSqliteDatabase],
  ['PostgreSQL', makePostgresDatabase],
])('on %s', (_, make) => {
  test('a report reads few vouchers at a time, and no others', async () => {
    const own = await make();
    const database = openPatiently(own.url);
    const tables = makeTables(database);
    await seedVouchers(database, tables, 950);
    const span = { from: firstAt, to: firstAt + 86_400_000 * 2 };
    const counting: (readonly unknown[])[] = [];
    database.scan.on('query', ({ sql, bindings }: { readonly sql: string; readonly bindings: unknown[] }) => {
      if (/group by/i.test(sql)) counting.push(bindings);
    });
    const pieces: number[] = [];
    for await (const groups of tables.reports.existing({ span, siteIds: undefined, now: firstAt }))
      pieces.push(groups.reduce((sum, { created }) => sum + created, 0));
    expect(pieces).toEqual([250, 250, 250, 200]);
    // By the end of the span, a database would read all that comes after the piece, and leave it out.
    expect(counting.map((bindings) => bindings.includes(span.to))).toEqual([false, false, false, true]);
    await database.close();
    await own.drop();
  });
});
