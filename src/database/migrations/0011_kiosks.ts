import type { Knex } from 'knex';

/** Tablets where guests take vouchers themselves. */
export const createKiosks = async (db: Knex): Promise<void> => {
  await db.schema.createTable('kiosks', (table) => {
    table.increments('id');
    // The SHA-256 of the token in its link.
    table.text('token_hash').notNullable().unique();
    table.integer('site_id').notNullable().references('sites.id');
    // Without its profile a kiosk has nothing to give.
    table.integer('profile_id').notNullable().references('profiles.id').onDelete('CASCADE');
    table.integer('per_hour').notNullable();
    table.boolean('asks_name').notNullable();
    table.bigInteger('created_at').notNullable();
    table.text('created_by').notNullable();
  });
};
