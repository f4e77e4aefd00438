import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  explainSearch,
  rareRoom,
  searchCases,
  searchPairs,
  seedVouchers,
  usualSearches,
} from '../../soak/search/cases.js';
import { countWork, type SearchWork } from '../../soak/search/work.js';
import type { Database } from '../../../src/database/database.js';
import { searchWindow } from '../../../src/vouchers/search/searchPlan.js';
import { makeTables } from '../../../src/app/tables.js';
import {
  makePostgresDatabase,
  makeSqliteDatabase,
  openPatiently,
  type TestDatabase,
} from '../../support/databases.js';

// Counted, because a machine that is busy makes any time long. `npm run soak -- search` shows a million, with times.
const few = 10_000;
const many = Number(process.env['VOUCHERS'] ?? 50_000);

const cases = [...searchCases, ...searchPairs, ...usualSearches];

describe.each([
  ['SQLite', makeSqliteDatabase],
  ['PostgreSQL', makePostgresDatabase],
] as const)('the search on %s', (_name, make) => {
  const own: TestDatabase[] = [];
  const databases: Database[] = [];
  beforeAll(async () => {
    for (const count of [few, many]) {
      const made = await make();
      own.push(made);
      const database = openPatiently(made.url);
      databases.push(database);
      await seedVouchers(database, makeTables(database), count);
    }
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    for (const { drop } of own) await drop();
  });

  test('each criterion and each pair of them looks at as much among many vouchers as among few', async () => {
    const tooMuch: string[] = [];
    for (const searchCase of cases) {
      const [small, large] = [
        await countWork(databases[0]!, searchCase),
        await countWork(databases[1]!, searchCase),
      ];
      const criteria = Object.keys(searchCase[1]).length + (searchCase[1].words?.length ?? 0);
      if (large.rows > (criteria + 4) * searchWindow || !isAsMuch(small, large))
        tooMuch.push(`${searchCase[0]}: ${JSON.stringify({ small, large })}`);
    }
    expect(tooMuch).toEqual([]);
  });

  test('what few vouchers have is found on the first page, whatever else is searched for', async () => {
    const large = databases[1]!;
    for (const searchCase of cases.filter(([, { words = [] }]) => words.includes(rareRoom)))
      expect({ name: searchCase[0], ...(await countWork(large, searchCase)) }).toMatchObject({
        hasNext: false,
      });
    expect(await countWork(large, ['room', { words: ['zimmer', rareRoom] }])).toMatchObject({ found: 20 });
  });

  test('each pair is found with an index, and no table is read as a whole', async () => {
    for (const [name, criteria, before] of cases) {
      const plan = await explainSearch(databases[1]!, criteria, before);
      expect({ name, ...plan }).toMatchObject({ name, readsWholeTable: false });
    }
  });
});

/**
 * All cases are made so that the same is found among few and among many. Pages do not count here: how many PostgreSQL
 * reads depends on whether it has vacuumed a table since it was filled.
 */
const isAsMuch = (small: SearchWork, large: SearchWork): boolean =>
  large.found === small.found && large.rows <= 1.5 * small.rows;
