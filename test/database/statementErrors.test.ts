import { describe, expect } from '@jest/globals';
import { publicText } from '../../src/lib/publicText.js';
import { testCases } from '../support/cases.js';
import { makeEmptyPostgresDatabase, makeEmptySqliteDatabase, openPatiently } from '../support/databases.js';
import { forAllTests } from '../support/fixture.js';

// Whatever a statement looks like, its words never stand in what a client reads.
const statements: [string, string][] = [
  ['an ordinary one', 'select secret_column from missing_table'],
  ['one that begins with a line break', '\n  select secret_column\n  from missing_table'],
  ['one that begins with a comment', '/* secret_column */ select 1 from missing_table'],
  ['one that begins with brackets', '(select secret_column from missing_table)'],
  ['one that subtracts', 'select secret_column - 1 - 2 from missing_table where 1 - 1 = 0'],
  ['one that is long', `select ${'secret_column - '.repeat(10_000)} 1 from missing_table`],
  ['one with a word that no list knows', 'vacuum secret_column missing_table - x'],
];

describe.each([
  ['SQLite', makeEmptySqliteDatabase, /^SQLITE_ERROR: /],
  [
    'PostgreSQL',
    makeEmptyPostgresDatabase,
    /^(relation "missing_table" does not exist|syntax error at or near )/,
  ],
] as const)('on %s a failed statement is not part of the message', (_, makeDatabase, driverMessage) => {
  const own = forAllTests(makeDatabase, 'drop');
  const database = forAllTests(() => openPatiently(own.url), 'close');

  testCases(statements)('whatever it looks like', async (_name, sql) => {
    for (const work of [
      () => database.write.raw(sql),
      () => database.write.transaction((trx) => trx.raw(sql)),
      () => database.write.transaction((outer) => outer.transaction((trx) => trx.raw(sql))),
      () => database.read.raw(sql),
    ]) {
      const error: unknown = await work().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(Error);
      const text = publicText(error);
      expect(text).toMatch(driverMessage);
      expect(text.length).toBeLessThan(100);
      expect(text).not.toMatch(/select|secret_column/);
    }
  });
});
