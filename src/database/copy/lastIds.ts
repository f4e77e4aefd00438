import type { Knex } from 'knex';
import type { Database } from '../database.js';

/** The last id that each table has given out, also when its row is gone: an id is never given to another record. */
export type LastIds = ReadonlyMap<string, number>;

interface Sequence {
  readonly table: string;
  readonly column: string;
  /** Quoted, with its schema. */
  readonly name: string;
}

const findSequences = async (db: Knex): Promise<Sequence[]> => {
  const { rows } = (await db.raw(
    `select * from (
       select table_name as "table", column_name as "column",
         pg_get_serial_sequence(quote_ident(table_schema) || '.' || quote_ident(table_name), column_name) as name
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = current_schema() and table_type = 'BASE TABLE'
     ) as sequences where name is not null`,
  )) as { rows: Sequence[] };
  return rows;
};

export const readLastIds = async (dialect: Database['dialect'], db: Knex): Promise<LastIds> => {
  if (dialect === 'sqlite') {
    const rows = await db('sqlite_sequence').select<{ name: string; seq: number }[]>('name', 'seq');
    return new Map(rows.map(({ name, seq }) => [name, seq]));
  }
  const last = new Map<string, number>();
  for (const { table, name } of await findSequences(db)) {
    const { rows } = (await db.raw(
      `select case when is_called then last_value else last_value - 1 end as last from ${name}`,
    )) as { rows: { last: number }[] };
    last.set(table, rows[0]?.last ?? 0);
  }
  return last;
};

/** Continues behind these ids, and behind all rows. */
export const continueBehind = async (
  dialect: Database['dialect'],
  db: Knex,
  lastIds: LastIds,
): Promise<void> => {
  if (dialect === 'sqlite') {
    for (const [name, last] of lastIds) {
      const updated = await db('sqlite_sequence')
        .where({ name })
        .update({ seq: db.raw('max(seq, ?)', [last]) });
      if (updated === 0) await db('sqlite_sequence').insert({ name, seq: last });
    }
    return;
  }
  for (const { table, column, name } of await findSequences(db))
    await db.raw(
      `select setval(cast(? as regclass), greatest(last, 1), last > 0)
       from (select greatest(coalesce(max(??), 0), cast(? as bigint)) as last from ??) as ids`,
      [name, column, lastIds.get(table) ?? 0, table],
    );
};
