import type { Knex } from 'knex';

/** Orders of many vouchers, placed in the pages, and what the pages tell of a voucher. */
export const createOrders = async (db: Knex): Promise<void> => {
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
    // Why it is not made, or not completely, in both languages, as JSON.
    table.text('reason');
    table.bigInteger('created_at').notNullable();
    table.index(['user_id', 'created_at'], 'orders_by_user');
    table.index(['created_at'], 'orders_by_time');
  });
  await db.schema.alterTable('intents', (table) => {
    table.integer('count').notNullable().defaultTo(1);
    table.integer('profile_id');
    // Is there a row in orders, which outlives the intent?
    table.boolean('has_order').notNullable().defaultTo(false);
  });
  await db.schema.alterTable('vouchers', (table) => {
    // Which of its order it is: an order is recorded once, whoever records it.
    table.integer('position').notNullable().defaultTo(0);
    // Who ordered it; null for those of earlier versions.
    table.text('source');
    table.integer('profile_id');
    table.bigInteger('revoked_at');
    table.dropUnique(['intent_id']);
    table.unique(['intent_id', 'position']);
  });
};
