import type { Knex } from 'knex';

export const createOrderTables = async (db: Knex): Promise<void> => {
  // Orders that are written down before their controller is asked.
  await db.schema.createTable('intents', (table) => {
    table.text('id').primary();
    table.integer('site_id').notNullable().references('sites.id');
    table.text('name').notNullable();
    table.integer('count').notNullable().defaultTo(1);
    // As a JSON array with the dates in front; null where all vouchers are called like the order.
    table.text('names');
    table.integer('profile_id');
    table.integer('max_uses').notNullable();
    table.integer('expire_minutes').notNullable();
    table.integer('down').notNullable();
    table.integer('up').notNullable();
    table.integer('quota_mb').notNullable();
    // Where we choose the codes of vouchers: a JSON array, sealed; null where the controller chooses them.
    table.text('sealed_codes');
    // Who placed it, and how notifications call them.
    table.text('actor_kind').notNullable();
    table.text('actor_name').notNullable();
    table.text('source').notNullable();
    // Is there a row in `orders`, which outlives the intent?
    table.boolean('has_order').notNullable().defaultTo(false);
    table.bigInteger('created_at').notNullable().index();
    // When the order ended without an outcome; null while it is in flight, or when its process was killed.
    table.bigInteger('ended_at');
    // By how much the controller's clock was ahead then, at least and at most; null when that was not known.
    table.bigInteger('clock_at_least');
    table.bigInteger('clock_at_most');
    // The client was told that there is no voucher: one that was created all the same is revoked.
    table.boolean('is_void').notNullable().defaultTo(false);
  });
  // Orders of one or many vouchers, placed in the pages and at kiosks.
  await db.schema.createTable('orders', (table) => {
    // Chosen by the page. The intent has the same.
    table.text('id').primary();
    // Whose it is: a user's or a kiosk's.
    table.integer('user_id');
    table.integer('kiosk_id');
    table.integer('site_id').notNullable().references('sites.id');
    // Tells a repeated request from another one with the same id.
    table.text('fingerprint').notNullable();
    // As it was typed.
    table.text('name').notNullable();
    table.integer('count').notNullable();
    table.integer('made').notNullable();
    table.text('state').notNullable();
    // Why it failed, or has fewer vouchers than ordered: a code and its values, as JSON.
    table.text('reason');
    table.bigInteger('created_at').notNullable();
    table.index(['user_id', 'created_at'], 'orders_by_user');
    // To count what a kiosk has given today.
    table.index(['kiosk_id', 'created_at'], 'orders_by_kiosk');
    table.index(['created_at'], 'orders_by_time');
  });
};
