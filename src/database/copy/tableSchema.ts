import type { Knex } from 'knex';
import type { Database } from '../database.js';
import { unfinishedCopyTable } from '../unfinishedCopy.js';
import { CopyError } from './copyError.js';

/** What a column holds, in either dialect. No column of voucherd is of another type. */
export type ColumnKind = 'boolean' | 'integer' | 'text' | 'binary' | 'other';

export interface TableColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** A table as the database has it. Columns that the database generates are not part of it. */
export interface TableSchema {
  readonly name: string;
  /** By name. */
  readonly columns: readonly TableColumn[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** The tables that it refers to. */
  readonly references: readonly string[];
}

/** Each database keeps its own: which migrations ran, and how far a copy is. */
const bookkeepingTables = new Set(['migrations', unfinishedCopyTable]);

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** Its place in the primary key, from 1; 0 when it is not part of it. */
  readonly keyPosition: number;
}

interface ReferenceRow {
  readonly table: string;
  readonly to: string;
}

/** Reads all tables from the database itself, so that no list has to follow the migrations. */
export const readTableSchemas = async (
  dialect: Database['dialect'],
  db: Knex,
): Promise<Map<string, TableSchema>> => {
  const sql = dialect === 'sqlite' ? sqliteQueries : postgresQueries;
  const ask = async <Row>(query: string): Promise<Row[]> => {
    const answer = (await db.raw(query)) as Row[] | { rows: Row[] };
    return Array.isArray(answer) ? answer : answer.rows;
  };
  const columns = await ask<ColumnRow>(sql.columns);
  const references = await ask<ReferenceRow>(sql.references);
  const names = [...new Set(columns.map(({ table }) => table))].filter(
    (name) => !bookkeepingTables.has(name),
  );
  return new Map(
    names.map((name) => {
      const own = columns.filter(({ table }) => table === name);
      return [
        name,
        {
          name,
          columns: own
            .map(({ column, type }) => ({ name: column, kind: toKind(type) }))
            .sort((one, other) => (one.name < other.name ? -1 : 1)),
          key: own
            .filter(({ keyPosition }) => keyPosition > 0)
            .sort((one, other) => one.keyPosition - other.keyPosition)
            .map(({ column }) => column),
          references: references.filter(({ table, to }) => table === name && to !== name).map(({ to }) => to),
        },
      ];
    }),
  );
};

const sqliteQueries = {
  columns: `select tables.name as "table", info.name as "column", info.type as "type", info.pk as "keyPosition"
    from sqlite_master as tables join pragma_table_info(tables.name) as info
    where tables.type = 'table' and tables.name not like 'sqlite^_%' escape '^'`,
  references: `select tables.name as "table", keys."table" as "to"
    from sqlite_master as tables join pragma_foreign_key_list(tables.name) as keys where tables.type = 'table'`,
};

const postgresQueries = {
  columns: `select columns.table_name as "table", columns.column_name as "column", columns.data_type as "type",
      coalesce(array_position(keys.columns, columns.column_name::text), 0) as "keyPosition"
    from information_schema.columns as columns
    join information_schema.tables as tables using (table_schema, table_name)
    left join (
      select classes.relname as name, array_agg(attributes.attname::text order by places.place) as columns
      from pg_index as indexes
      join pg_class as classes on classes.oid = indexes.indrelid
      cross join unnest(indexes.indkey) with ordinality as places (number, place)
      join pg_attribute as attributes on attributes.attrelid = classes.oid and attributes.attnum = places.number
      where indexes.indisprimary and classes.relnamespace = current_schema()::regnamespace
      group by classes.relname
    ) as keys on keys.name = columns.table_name
    where columns.table_schema = current_schema() and tables.table_type = 'BASE TABLE'
      and columns.is_generated = 'NEVER'`,
  references: `select own.relname as "table", other.relname as "to" from pg_constraint as keys
    join pg_class as own on own.oid = keys.conrelid join pg_class as other on other.oid = keys.confrelid
    where keys.contype = 'f' and own.relnamespace = current_schema()::regnamespace`,
};

const kinds: readonly [RegExp, ColumnKind][] = [
  [/^bool(ean)?$/, 'boolean'],
  [/^(small|big)?int(eger)?$/, 'integer'],
  [/^(text|varchar\b.*|char(acter)? varying|char\b.*)$/, 'text'],
  [/^(bytea|blob)$/, 'binary'],
];

const toKind = (type: string): ColumnKind =>
  kinds.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? 'other';

/** The tables that are copied, each behind those that it refers to, and the names of others in the source. */
interface CommonTables {
  readonly tables: readonly TableSchema[];
  readonly foreign: readonly string[];
}

/** The tables of both databases. What only one of them has is not voucherd's: both have the same migrations. */
export const findCommonTables = (
  source: ReadonlyMap<string, TableSchema>,
  target: ReadonlyMap<string, TableSchema>,
): CommonTables => {
  const common = [...source.values()].filter(({ name }) => target.has(name));
  for (const table of common) assertSame(table, target.get(table.name) ?? table);
  return {
    tables: sortByReferences(common),
    foreign: [...source.keys()].filter((name) => !target.has(name)),
  };
};

const assertSame = (one: TableSchema, other: TableSchema): void => {
  const describe = ({ columns, key }: TableSchema): string[] => [
    ...columns.map(({ name, kind }) => `${name} ${kind}`),
    `key ${key.join(' ')}`,
  ];
  const [mine, theirs] = [describe(one), describe(other)];
  const different = [
    ...mine.filter((text) => !theirs.includes(text)),
    ...theirs.filter((text) => !mine.includes(text)),
  ];
  if (different.length > 0)
    throw new CopyError(
      'schema-differs',
      `the table ${one.name} was changed by hand: source and target differ in ${different.join(', ')}`,
    );
  const odd = one.columns.find(({ kind }) => kind === 'other');
  if (odd) throw new CopyError('schema-differs', `the type of ${one.name}.${odd.name} can't be copied`);
  if (one.key.length === 0) throw new CopyError('schema-differs', `the table ${one.name} has no primary key`);
};

const sortByReferences = (tables: readonly TableSchema[]): TableSchema[] => {
  const waiting = [...tables].sort((one, other) => (one.name < other.name ? -1 : 1));
  const sorted: TableSchema[] = [];
  while (waiting.length > 0) {
    const free = waiting.findIndex(({ references }) =>
      references.every((name) => waiting.every((table) => table.name !== name)),
    );
    const [next] = free < 0 ? [] : waiting.splice(free, 1);
    if (!next)
      throw new CopyError(
        'schema-differs',
        `tables refer to each other: ${waiting.map(({ name }) => name).join(', ')}`,
      );
    sorted.push(next);
  }
  return sorted;
};
