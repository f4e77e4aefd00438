import type { Knex } from 'knex';

/** The pictures of the web UI. Its title and colour are in `settings`. */
export const createBrandPictures = async (db: Knex): Promise<void> => {
  await db.schema.createTable('brand_pictures', (table) => {
    table.text('kind').primary();
    table.text('media_type').notNullable();
    table.binary('image').notNullable();
    table.text('version').notNullable();
    table.text('tone').notNullable();
  });
};
