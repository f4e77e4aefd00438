import type { Knex } from 'knex';

/** Tablets where guests take vouchers themselves, and pages that they open at a public address. */
export const createKiosks = async (db: Knex): Promise<void> => {
  await db.schema.createTable('kiosks', (table) => {
    table.increments('id');
    // The SHA-256 of the token in its link.
    table.text('token_hash').notNullable().unique();
    // Without a name, it is called like its site.
    table.text('name').notNullable().defaultTo('');
    table.integer('site_id').notNullable().references('sites.id');
    // Without its profile a kiosk has nothing to give.
    table.integer('profile_id').notNullable().references('profiles.id').onDelete('CASCADE');
    // Ids as JSON: guests choose among these and `profile_id`.
    table.text('more_profile_ids').notNullable().defaultTo('[]');
    table.integer('per_hour').notNullable();
    // At most so many vouchers for one device in so many minutes; null for no such limit.
    table.integer('per_device');
    table.integer('device_minutes').notNullable().defaultTo(60);
    table.boolean('asks_name').notNullable();
    table.boolean('requires_name').notNullable().defaultTo(false);
    table.boolean('sends_email').notNullable().defaultTo(false);
    table.boolean('sends_sms').notNullable().defaultTo(false);
    table.integer('printer_id').references('printers.id').onDelete('SET NULL');
    table.integer('idle_seconds').notNullable().defaultTo(60);
    // Like #2f6f4e.
    table.text('background_colour');
    // The last part of the address of a public page; null for kiosks, which only their link opens.
    table.text('slug');
    table.boolean('needs_approval').notNullable().defaultTo(false);
    table.bigInteger('created_at').notNullable();
    table.text('created_by').notNullable();
  });
  await db.raw('create unique index kiosks_by_slug on kiosks (slug) where slug is not null');
  await db.schema.createTable('kiosk_backgrounds', (table) => {
    table.integer('kiosk_id').primary().references('kiosks.id').onDelete('CASCADE');
    table.text('media_type').notNullable();
    table.binary('image').notNullable();
    // Tells tablets that the picture is another one.
    table.text('version').notNullable();
  });
  // Requests at public pages that wait for staff.
  await db.schema.createTable('guest_requests', (table) => {
    // Chosen by the page. The order has the same.
    table.text('id').primary();
    table.integer('kiosk_id').notNullable().references('kiosks.id').onDelete('CASCADE');
    table.integer('site_id').notNullable().references('sites.id');
    table.integer('profile_id').notNullable();
    table.text('name').notNullable();
    table.text('state').notNullable();
    table.text('address').notNullable();
    table.text('decided_by');
    table.bigInteger('created_at').notNullable();
    table.index(['kiosk_id', 'created_at'], 'guest_requests_by_kiosk');
    table.index(['created_at'], 'guest_requests_by_time');
  });
};
