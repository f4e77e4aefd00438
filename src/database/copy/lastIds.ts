import type { Knex } from 'knex';
import type { Database } from '../database.js';
import type { CopiedTable } from './copiedTables.js';

/** Lets ids continue behind the last one that the source has given out: none is given to another record. */
export const continueIds = async (
  dialect: Database['dialect'],
  source: Knex,
  target: Knex,
  tables: readonly CopiedTable[],
): Promise<void> => {
  const postgres = dialect === 'postgres' ? target : source;
  for (const { name, columns } of tables) {
    const sequence = columns.includes('id') ? await findSequence(postgres, name) : null;
    if (sequence === null) continue;
    if (dialect === 'postgres') {
      const given = await source('sqlite_sequence').where({ name }).first<{ seq: number } | undefined>('seq');
      if (given) await target.raw('select setval(cast(? as regclass), ?)', [sequence, given.seq]);
    } else {
      const { rows } = await source.raw<{ rows: { last: number }[] }>(
        `select last_value as last from ${sequence} where is_called`,
      );
      for (const { last } of rows) await raiseSqliteSequence(target, name, last);
    }
  }
};

/** Its name is quoted, with its schema. */
const findSequence = async (postgres: Knex, table: string): Promise<string | null> => {
  const { rows } = await postgres.raw<{ rows: { name: string | null }[] }>(
    "select pg_get_serial_sequence(?, 'id') as name",
    [`"${table}"`],
  );
  return rows[0]?.name ?? null;
};

/** SQLite has an entry for tables into which something was inserted. */
const raiseSqliteSequence = async (sqlite: Knex, name: string, last: number): Promise<void> => {
  const raised = await sqlite('sqlite_sequence')
    .where({ name })
    .update({ seq: sqlite.raw('max(seq, ?)', [last]) });
  if (raised === 0) await sqlite('sqlite_sequence').insert({ name, seq: last });
};
