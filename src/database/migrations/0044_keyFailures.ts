import type { Knex } from 'knex';

/** How many requests of a key ended in an unexpected error. */
export const addKeyFailures = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('key_usage', (table) => {
    table.integer('failures').notNullable().defaultTo(0);
  });
};
