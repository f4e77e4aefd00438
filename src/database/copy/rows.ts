import type { Knex } from 'knex';
import type { Database } from '../database.js';
import { CopyError } from './copyError.js';
import type { ColumnKind, TableSchema } from './tableSchema.js';

/** A value as both dialects have it. Bytes are hexadecimal digits. */
export type CopiedValue = string | number | boolean | null;

/** A row, with its values in the order of the table's columns. */
export type CopiedRow = readonly CopiedValue[];

/** Where a page ends: the values of the primary key. */
export type RowKey = readonly CopiedValue[];

interface Page {
  readonly rows: readonly CopiedRow[];
  /** The key of the last row; undefined when there is none. */
  readonly end: RowKey | undefined;
}

const pageSize = 1000;
/** Pictures and the like are large. */
const binaryPageSize = 20;

/** The next rows behind a key, in the order of the primary key. */
export const readPage = async (db: Knex, table: TableSchema, after: RowKey | undefined): Promise<Page> => {
  const { name, columns, key } = table;
  const hasBytes = columns.some(({ kind }) => kind === 'binary');
  const list = (count: number, mark: string): string => Array.from({ length: count }, () => mark).join(', ');
  const found = (await db(name)
    .select(columns.map((column) => column.name))
    .modify((query) => {
      if (after)
        void query.whereRaw(`(${list(key.length, '??')}) > (${list(key.length, '?')})`, [...key, ...after]);
    })
    .orderBy([...key])
    .limit(hasBytes ? binaryPageSize : pageSize)) as Record<string, unknown>[];
  const rows = found.map((row) => columns.map((column) => toValue(table, column, row)));
  const last = rows.at(-1);
  const places = key.map((part) => columns.findIndex((column) => column.name === part));
  return { rows, end: last && places.map((place) => last[place] ?? null) };
};

const toValue = (
  table: TableSchema,
  { name, kind }: { readonly name: string; readonly kind: ColumnKind },
  row: Readonly<Record<string, unknown>>,
): CopiedValue => {
  const value = row[name];
  if (value === null || value === undefined) return null;
  const refuse = (what: string): never => {
    const key = table.key.map((part) => String(row[part])).join(', ');
    throw new CopyError(
      'value-not-storable',
      `${table.name}.${name} of the row ${key} ${what}: correct it in the source`,
    );
  };
  switch (kind) {
    case 'boolean':
      if (value === true || value === 1) return true;
      return value === false || value === 0 ? false : refuse('is neither true nor false');
    case 'integer':
      return Number.isSafeInteger(value) ? (value as number) : refuse('is not a whole number up to 2^53');
    case 'text':
      if (typeof value !== 'string') return refuse('is not text');
      return value.includes('\0') ? refuse('holds a NUL character, which PostgreSQL can not store') : value;
    case 'binary':
      return Buffer.isBuffer(value) ? value.toString('hex') : refuse('is not binary');
    case 'other':
      return refuse('is of a type that is not known');
  }
};

/** Inserts rows as they are, in one statement: they are sent as one JSON text. */
export const insertPage = async (
  dialect: Database['dialect'],
  db: Knex,
  { name, columns }: TableSchema,
  rows: readonly CopiedRow[],
): Promise<void> => {
  const isBinary = columns.map(({ kind }) => kind === 'binary');
  const toCell = (value: CopiedValue, index: number): CopiedValue =>
    dialect === 'postgres' && isBinary[index] && value !== null ? `\\x${String(value)}` : value;
  const json = JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(columns.map((column, index) => [column.name, toCell(row[index] ?? null, index)])),
    ),
  );
  const names = columns.map((column) => column.name);
  const marks = names.map(() => '??').join(', ');
  if (dialect === 'postgres') {
    const statement = `insert into ?? (${marks}) select ${marks} from json_populate_recordset(null::??, ?)`;
    await db.raw(statement, [name, ...names, ...names, name, json]);
    return;
  }
  const cells = isBinary.map((isBytes) => (isBytes ? 'unhex(value ->> ?)' : 'value ->> ?')).join(', ');
  await db.raw(`insert into ?? (${marks}) select ${cells} from json_each(?)`, [
    name,
    ...names,
    ...names,
    json,
  ]);
};

/** Does something without the triggers of a table, in a transaction: a killed process leaves them as they were. */
export const withoutTriggers = async (
  dialect: Database['dialect'],
  transaction: Knex,
  table: string,
  work: () => Promise<void>,
): Promise<void> => {
  if (dialect === 'postgres') {
    const found = (await transaction.raw(
      'select tgname from pg_trigger where tgrelid = cast(? as regclass) and not tgisinternal',
      [`"${table}"`],
    )) as { rows: unknown[] };
    if (found.rows.length === 0) return work();
    await transaction.raw('alter table ?? disable trigger user', [table]);
    await work();
    await transaction.raw('alter table ?? enable trigger user', [table]);
    return;
  }
  const triggers = await transaction('sqlite_master')
    .where({ type: 'trigger', tbl_name: table })
    .select<{ name: string; sql: string }[]>('name', 'sql');
  for (const { name } of triggers) await transaction.raw('drop trigger ??', [name]);
  await work();
  for (const { sql } of triggers) await transaction.raw(sql);
};
