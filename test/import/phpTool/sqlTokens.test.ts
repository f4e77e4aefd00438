import { expect, test } from '@jest/globals';
import { collectRows } from '../../../src/import/phpTool/dumpSource.js';
import { readSqlTokens } from '../../../src/import/phpTool/sqlTokens.js';
import { testCases } from '../../support/cases.js';

async function* inChunks(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

const tokensOf = async (text: string, size = 7): Promise<string[]> => {
  const found: string[] = [];
  for await (const tokens of readSqlTokens(inChunks(text, size)))
    for (const { kind, value } of tokens) found.push(`${kind} ${value}`);
  return found;
};

const rowsOf = async (text: string, table: 'sites' | 'vouchers' = 'sites', size = 7) =>
  (await collectRows(inChunks(text, size))).tables.get(table);

test('quotes, escapes and doubled quotes are read as MySQL writes them, wherever the text is cut', async () => {
  const sql = String.raw`'it''s' "a ""b""" 'c\'d\\' 'n\n0\0%\%' ${'`x``y`'} -5 1.5e3 NULL;`;
  const expected = [
    "text it's",
    'text a "b"',
    "text c'd\\",
    'text n\n0\0%%',
    'name x`y',
    'word -5',
    'word 1.5e3',
    'word NULL',
    'symbol ;',
  ];
  for (let size = 1; size <= sql.length; size += 1) expect(await tokensOf(sql, size)).toEqual(expected);
});

test('comments are skipped, and what only some versions run is read', async () => {
  const sql =
    "-- it's\n# no\n/* 'x' */ /*!40103 SET TIME_ZONE='+00:00' */; /*M!100101 a */ /*! b */ /*!120302 c */";
  expect(await tokensOf(sql)).toEqual([
    ...['word SET', 'word TIME_ZONE', 'symbol =', 'text +00:00', 'symbol ;', 'word a', 'word b', 'word c'],
  ]);
});

testCases([
  '/*!999999\\- enable the sandbox mode */',
  '/*M!999999\\- enable */',
  '/*!99999 a; */',
  '/*!500000 a */',
])('what no server runs is skipped', async (comment) => {
  for (let size = 1; size <= comment.length; size += 1)
    expect(await tokensOf(`${comment} SELECT 1;`, size)).toEqual(['word SELECT', 'word 1', 'symbol ;']);
  expect(await rowsOf(`${comment}\nINSERT INTO \`sites\` (\`id\`) VALUES (1);`)).toEqual([{ id: '1' }]);
});

test('a value in many chunks is scanned again only when it has doubled', async () => {
  let scans = 0;
  for await (const _ of readSqlTokens(inChunks(`SELECT '${'x'.repeat(65_536)}';`, 64))) scans += 1;
  expect(scans).toBeLessThan(20);
});

test('statements of triggers are not those of the dump', async () => {
  const sql =
    "DELIMITER ;;\n/*!50003 CREATE TRIGGER t BEGIN INSERT INTO `sites` VALUES ('x'); END */;;\nDELIMITER ;\nSELECT 1;";
  expect(await tokensOf(sql, 5)).toEqual(['word SELECT', 'word 1', 'symbol ;']);
});

const create =
  "CREATE TABLE `sites` (`id` int NOT NULL, `name` varchar(9) COMMENT 'a,b)', PRIMARY KEY (`id`), KEY `k` (`name`,`id`));";

test('rows have the columns of their table, or of their statement', async () => {
  expect(await rowsOf(`${create} INSERT INTO \`sites\` VALUES (1,'a;('),(2,NULL);`)).toEqual([
    { id: '1', name: 'a;(' },
    { id: '2', name: null },
  ]);
  expect(
    await rowsOf("INSERT INTO `sites` (`name`,`id`) VALUES (_binary 'a',3),(0x6162,4),(x'6364',5);"),
  ).toEqual([
    { id: '3', name: 'a' },
    { id: '4', name: 'ab' },
    { id: '5', name: 'cd' },
  ]);
});

test('rows of other tables are not kept', async () => {
  const sql = `${create} INSERT INTO \`audit_log\` VALUES (1,'INSERT INTO \`sites\` VALUES (9)'),(2,'x');`;
  expect(await rowsOf(sql)).toEqual([]);
});

testCases([
  ['ends within a text', `${create} INSERT INTO \`sites\` VALUES (1,'a`, /ends within a value/],
  ['ends within a statement', `${create} INSERT INTO \`sites\` VALUES (1,'a')`, /ends within a statement/],
  ['has too few values', `${create} INSERT INTO \`sites\` VALUES (1);`, /has 1 values for 2 columns/],
  ['does not say its columns', 'INSERT INTO `sites` VALUES (1);', /does not say which columns/],
  ['lacks a ; before rows', 'SELECT 1 INSERT IGNORE INTO `sites` (`id`) VALUES (1);', /a ; is missing/],
  ['is of two databases', `${create} ${create}`, /two tables named sites/],
  ['is in another zone', "SET TIME_ZONE='+02:00';", /time zone \+02:00/],
  ['never ends a statement', 'SELECT INTO `users` '.repeat(7000), /a statement that is longer than any/],
  ['never ends a text', `'${'x'.repeat(5 * 1024 * 1024)}`, /longer than any/],
])('a dump that is damaged is refused', async (_, sql, message) => {
  await expect(rowsOf(sql, 'sites', 65_536)).rejects.toThrow(message);
});
