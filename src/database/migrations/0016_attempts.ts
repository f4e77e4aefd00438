import type { Knex } from 'knex';

/** When the last attempt was made, which tells a clock that was set back. Null for those of earlier versions. */
export const addAttemptTimes = async (db: Knex): Promise<void> => {
  for (const name of ['deliveries', 'emails'])
    await db.schema.alterTable(name, (table) => {
      table.bigInteger('tried_at');
    });
};
