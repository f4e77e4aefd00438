import type { Knex } from 'knex';

/** What administrators choose for a kiosk. The defaults are what kiosks did before. */
export const addKioskChoices = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('kiosks', (table) => {
    // Without one, it is called like its site.
    table.text('name').notNullable().defaultTo('');
    // Ids as JSON: guests choose among these and `profile_id`.
    table.text('more_profile_ids').notNullable().defaultTo('[]');
    table.boolean('requires_name').notNullable().defaultTo(false);
    table.boolean('sends_email').notNullable().defaultTo(false);
    table.integer('idle_seconds').notNullable().defaultTo(60);
    // Like #2f6f4e.
    table.text('background_colour');
    // At most so many vouchers for one device in so many minutes; null for no such limit.
    table.integer('per_device');
    table.integer('device_minutes').notNullable().defaultTo(60);
  });
  await db.raw(
    'alter table kiosks add column printer_id integer references printers (id) on delete set null',
  );
  await db.schema.createTable('kiosk_backgrounds', (table) => {
    table.integer('kiosk_id').primary().references('kiosks.id').onDelete('CASCADE');
    table.text('media_type').notNullable();
    table.binary('image').notNullable();
    // Tells tablets that the picture is another one.
    table.text('version').notNullable();
  });
};
