import type { Knex } from 'knex';

/**
 * Continues the ids of a table behind rows that were inserted
 * with ids of their own. SQLite does that automatically.
 */
export const continueIds = async (transaction: Knex, table: string): Promise<void> => {
  if (!isPostgres(transaction)) return;
  await transaction.raw(
    `select setval(pg_get_serial_sequence(?, 'id'), greatest((select max(id) from ${table}), 1))`,
    [table],
  );
};

const isPostgres = (db: Knex): boolean => (db.client as Knex.Client).dialect === 'postgresql';

/**
 * Lets the ids of these tables, which have the column `id`, continue behind the last one that the source has
 * given out: none is given to another record. One database is SQLite, the other PostgreSQL.
 */
export const copyLastIds = async (source: Knex, target: Knex, tables: readonly string[]): Promise<void> => {
  const isToPostgres = isPostgres(target);
  for (const name of tables) {
    const sequence = await findSequence(isToPostgres ? target : source, name);
    if (sequence === null) continue;
    if (isToPostgres) {
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
