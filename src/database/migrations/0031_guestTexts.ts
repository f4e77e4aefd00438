import type { Knex } from 'knex';

/** Own texts for guests: a row for each site that has some, and one for all sites, whose number is 0. */
export const createGuestTexts = async (db: Knex): Promise<void> => {
  await db.schema.createTable('guest_texts', (table) => {
    table.integer('site_id').primary();
    // JSON: by language, then by the name of the text.
    table.text('texts').notNullable();
  });
};
