import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { readPage, type CopiedRow, type RowKey } from './rows.js';
import type { TableSchema } from './tableSchema.js';

/** How many rows a table has, and a checksum of all of them. */
export interface TableChecksum {
  readonly rows: number;
  /** Hexadecimal. The same for the same rows in any order: databases sort texts differently. */
  readonly checksum: string;
}

const lanes = 8;

/** Reads a whole table, a page at a time. */
export const computeChecksum = async (
  db: Knex,
  table: TableSchema,
  onRows: (count: number) => void,
): Promise<TableChecksum> => {
  const sum = new Uint32Array(lanes);
  let [rows, after]: [number, RowKey | undefined] = [0, undefined];
  for (;;) {
    const page = await readPage(db, table, after);
    for (const row of page.rows) addRow(sum, row);
    if (page.end === undefined) break;
    after = page.end;
    rows += page.rows.length;
    onRows(page.rows.length);
  }
  return { rows, checksum: Array.from(sum, (lane) => lane.toString(16).padStart(8, '0')).join('') };
};

/** Adds the SHA-256 of a row, so that the order of rows does not matter and equal rows do not cancel out. */
const addRow = (sum: Uint32Array, row: CopiedRow): void => {
  const digest = createHash('sha256').update(JSON.stringify(row)).digest();
  for (let lane = 0; lane < lanes; lane += 1) sum[lane] = (sum[lane] ?? 0) + digest.readUInt32LE(lane * 4);
};
