import type { Knex } from 'knex';

/** How many rows are removed in one transaction. */
const batchSize = 500;

/** Removes rows a batch at a time, so that nobody who writes has to wait for all of them; `key` tells them apart. */
export const removeAll = async (
  db: Knex,
  { table, key }: { readonly table: string; readonly key: string },
  choose: (rows: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<number> => {
  let removed = 0;
  for (;;) {
    const count = await db(table)
      .whereIn(key, choose(db(table).select(key)).limit(batchSize))
      .delete();
    removed += count;
    if (count < batchSize) return removed;
  }
};
