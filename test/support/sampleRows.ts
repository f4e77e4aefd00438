import type { Database } from '../../src/database/database.js';
import { tablesOf, type TableColumn, type TableSchema } from './tableSchema.js';

export { tablesOf };

/** The triggers of vouchers take only this for their words. */
const wordsOf = (number: number): string => JSON.stringify(['zimmer', `gast${String(number)}`]);

/** Alike in all tables, so that what refers to another row finds it. */
const valueOf = ({ name, kind }: TableColumn, number: number): unknown => {
  if (name === 'words') return wordsOf(number);
  switch (kind) {
    case 'boolean':
      return number % 2 === 0;
    case 'integer':
      return number;
    case 'binary':
      return Buffer.from([0, 255, number]);
    default:
      return `Größe "${String(number)}" \\ 'ä' 🛜\n`;
  }
};

/** What columns hold that have to mean something, by `table.column`. */
export type GivenValues = Readonly<Record<string, (number: number) => unknown>>;

/** The row of a table that has this number: each column has a value. */
export const sampleRow = (
  { name, columns }: TableSchema,
  number: number,
  given: GivenValues = {},
): Record<string, unknown> =>
  Object.fromEntries(
    columns.map((column) => {
      const make = given[`${name}.${column.name}`];
      return [column.name, make ? make(number) : valueOf(column, number)];
    }),
  );

/** Puts rows into every table that the database has, whatever its version. Ids continue behind them. */
export const fillEveryTable = async (
  database: Database,
  rows: number,
  given: GivenValues = {},
): Promise<void> => {
  for (const table of await tablesOf(database)) {
    const samples = Array.from({ length: rows }, (_, index) => sampleRow(table, index + 1, given));
    await database.write.batchInsert(table.name, samples, 20);
    if (database.dialect === 'postgres' && table.columns.some(({ name }) => name === 'id'))
      await database.write.raw("select setval(pg_get_serial_sequence(?, 'id'), ?)", [table.name, rows]);
  }
};
