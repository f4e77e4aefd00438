import { describe, expect, test } from '@jest/globals';
import {
  explainSearch,
  explainStatements,
  searchCases,
  searchedAt,
  seedVouchers,
} from '../../soak/search/cases.js';
import { chooseWords } from '../../../src/vouchers/search/searchCriteria.js';
import { planSearch } from '../../../src/vouchers/search/searchPlan.js';
import { makeTables } from '../../../src/app/tables.js';
import { makePostgresDatabase, makeSqliteDatabase, openPatiently } from '../../support/databases.js';

/** How a plan says that the index is entered at a position. */
const skipsToPosition = {
  sqlite: /\((?:(?:word|position)=\? AND )?(?:created_at|\(created_at,voucher_id\))<[?(]/,
  postgres: /Index Cond: .*ROW\((?:"position", )?(?:\w+\.)?created_at, (?:\w+\.)?(?:voucher_)?id\) < ROW/,
};

describe.each([
  ['SQLite', makeSqliteDatabase],
  ['PostgreSQL', makePostgresDatabase],
] as const)('%s', (_name, make) => {
  test('the search finds vouchers by each criterion with an index, and reads no table as a whole', async () => {
    const own = await make();
    const database = openPatiently(own.url);
    try {
      await seedVouchers(database, makeTables(database), 2000);
      // PostgreSQL reads a table that fits on a few pages as a whole, whatever its indexes.
      if (database.dialect === 'postgres')
        await database.write.raw(
          `alter database ${new URL(own.url).pathname.slice(1)} set enable_seqscan = off`,
        );
      const fresh = openPatiently(own.url);
      for (const [name, criteria, before] of searchCases) {
        const plan = await explainSearch(fresh, criteria, before);
        expect({ name, ...plan }).toMatchObject({ name, readsWholeTable: false });
        expect({ name, indexes: plan.indexes.length }).not.toEqual({ name, indexes: 0 });
        // What was scrolled past is not read again.
        if (before) expect(plan.steps.join('\n')).toMatch(skipsToPosition[database.dialect]);
      }
      // By name, on the first page and later, with a criterion that many have and without any.
      const { voucherFinder } = makeTables(fresh);
      const after = { sortedName: 'zimmer 12 gast1000x', id: 1000 };
      for (const criteria of [{}, { words: ['zimmer'] }])
        for (const page of [{}, { after }]) {
          const plan = await explainStatements(fresh, () =>
            voucherFinder.findByName(criteria, {
              ...page,
              isDescending: false,
              limit: 100,
              now: searchedAt,
            }),
          );
          expect(plan.indexes).toContain('vouchers_by_name');
          const count = (pattern: RegExp) => plan.steps.filter((step) => pattern.test(step)).length;
          // What SQLite scans without an index is the window, which it has read by one.
          expect(count(/seq scan|^SCAN vouchers$/i)).toBe(count(/^(?:CO-ROUTINE|MATERIALIZE) vouchers$/));
        }
      await fresh.close();
    } finally {
      await database.close();
      await own.drop();
    }
  });

  test('a text of many words is compared with a few of them, and begins with the table of words', async () => {
    const own = await make();
    const database = openPatiently(own.url);
    try {
      await seedVouchers(database, makeTables(database), 2000);
      const words = ['zimmer', ...Array.from({ length: 60 }, (_, index) => `gast${String(index)}x`)];
      const { queries } = await planSearch(database, { words: [...words, ...words] }, { now: searchedAt });
      for (const query of queries) expect(query.toSQL().sql.match(/ like /g)?.length ?? 0).toBeLessThan(8);
      const { steps } = await explainSearch(database, { words: ['zimmer', 'zimm', ...words] });
      expect(steps.find((step) => /entries|vouchers/.test(step))).toMatch(/entries|voucher_words/);
    } finally {
      await database.close();
      await own.drop();
    }
  });
});

test('of the words of a text, those that another one begins with are not looked for, and the longest eight are', () => {
  expect(chooseWords(['fa', 'familie', 'fa', 'f', 'familie', 'berg'])).toEqual(['familie', 'berg']);
  const many = Array.from({ length: 40 }, (_, index) => `wort${String(index)}`);
  expect(chooseWords(many)).toEqual(many.filter((word) => word.length === 6).slice(0, 8));
  expect(chooseWords([])).toEqual([]);
});
