import type { Knex } from 'knex';

/** Continues the ids of a table behind rows that were inserted with ids of their own. SQLite does that automatically. */
export const continueIds = async (transaction: Knex, table: string): Promise<void> => {
  if ((transaction.client as Knex.Client).dialect !== 'postgresql') return;
  await transaction.raw(
    `select setval(pg_get_serial_sequence(?, 'id'), greatest((select max(id) from ${table}), 1))`,
    [table],
  );
};
