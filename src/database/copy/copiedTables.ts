import type { Knex } from 'knex';
import { unfinishedCopyTable } from '../unfinishedCopy.js';

/** A table as SQLite has it. Columns that the database generates are not part of it. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
}

/** Each database keeps its own; the search words are inserted by a trigger when a voucher is. */
const leftOut = ['migrations', unfinishedCopyTable, 'voucher_words'];

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  /** Its place in the primary key, from 1; 0 when it is not part of it. */
  readonly keyPosition: number;
}

/** The tables of a SQLite database, each behind those that it refers to. */
export const readCopiedTables = async (sqlite: Knex): Promise<CopiedTable[]> => {
  const rows = (await sqlite.raw(
    `select tables.name as "table", info.name as "column", info.pk as "keyPosition"
     from sqlite_master as tables join pragma_table_info(tables.name) as info
     where tables.type = 'table' and tables.name not like 'sqlite^_%' escape '^' order by 1, info.cid`,
  )) as ColumnRow[];
  const references = (await sqlite.raw(
    `select tables.name as "table", keys."table" as "to"
     from sqlite_master as tables join pragma_foreign_key_list(tables.name) as keys
     where tables.type = 'table' and keys."table" <> tables.name`,
  )) as { table: string; to: string }[];
  const sorted = new Set<string>();
  const addBehindReferences = (name: string): void => {
    for (const { table, to } of references) if (table === name && !sorted.has(to)) addBehindReferences(to);
    sorted.add(name);
  };
  for (const { table } of rows) addBehindReferences(table);
  return [...sorted].filter((name) => !leftOut.includes(name)).map((name) => toTable(name, rows));
};

const toTable = (name: string, rows: readonly ColumnRow[]): CopiedTable => {
  const own = rows.filter(({ table }) => table === name);
  const key = own
    .filter(({ keyPosition }) => keyPosition > 0)
    .sort((one, other) => one.keyPosition - other.keyPosition);
  return { name, columns: own.map(({ column }) => column), key: key.map(({ column }) => column) };
};
