import type { Knex } from 'knex';

/** Whether a guest page ordered: its orders in flight are stored as those of kiosks. */
export const addGuestOrigin = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('intents', (table) => {
    table.boolean('is_guest_page').notNullable().defaultTo(false);
  });
};
