import type { Knex } from 'knex';
import type { Database } from '../../src/database/database.js';

/** What a column holds, in either dialect. No column of voucherd is of another type. */
type ColumnKind = 'boolean' | 'integer' | 'text' | 'binary' | 'other';

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
const readTableSchemas = async (
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
  const names = [...new Set(columns.map(({ table }) => table))].filter((name) => name !== 'migrations');
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

/** The tables of a database, each behind those that it refers to. */
export const tablesOf = async ({
  dialect,
  read,
}: Pick<Database, 'dialect' | 'read'>): Promise<readonly TableSchema[]> => {
  const tables = await readTableSchemas(dialect, read);
  const sorted = new Map<string, TableSchema>();
  const addBehindReferences = (table: TableSchema): void => {
    for (const name of table.references) {
      const to = tables.get(name);
      if (to && !sorted.has(name)) addBehindReferences(to);
    }
    sorted.set(table.name, table);
  };
  for (const name of [...tables.keys()].sort()) {
    const table = tables.get(name);
    if (table) addBehindReferences(table);
  }
  return [...sorted.values()];
};
