import type { Knex } from 'knex';

/** The order in which profiles are listed, and the one that is chosen unless somebody chooses another. */
export const addProfileOrder = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('profiles', (table) => {
    // From 0. Those without one come last, by name: new ones, and all until an administrator has ordered them.
    table.integer('position');
    table.boolean('is_default').notNullable().defaultTo(false);
  });
};
