import type { Knex } from 'knex';

/** Times are milliseconds since 1970. */
export const createInitialTables = async (db: Knex): Promise<void> => {
  await db.schema.createTable('api_keys', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    table.text('prefix').notNullable().index();
    table.text('hash').notNullable();
    table.text('scope').notNullable();
    table.integer('rate_limit').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at');
    table.bigInteger('revoked_at');
    table.bigInteger('expires_at');
  });
  await db.schema.createTable('controllers', (table) => {
    table.increments('id');
    table.text('name').notNullable().unique();
    table.text('kind').notNullable();
    table.text('settings').notNullable();
    table.bigInteger('created_at').notNullable();
  });
  await db.schema.createTable('sites', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    table.boolean('active').notNullable();
    table.integer('controller_id').notNullable().references('controllers.id');
    table.text('controller_site');
    table.bigInteger('created_at').notNullable();
  });
  await db.schema.createTable('intents', (table) => {
    table.text('id').primary();
    table.integer('site_id').notNullable().references('sites.id');
    table.text('name').notNullable();
    table.integer('max_uses').notNullable();
    table.integer('expire_minutes').notNullable();
    table.integer('down').notNullable();
    table.integer('up').notNullable();
    table.integer('quota_mb').notNullable();
    table.text('source').notNullable();
    table.bigInteger('created_at').notNullable().index();
  });
  await db.schema.createTable('vouchers', (table) => {
    table.bigIncrements('id');
    table.integer('site_id').notNullable().references('sites.id');
    table.text('code').notNullable();
    table.text('name').notNullable();
    table.integer('max_uses').notNullable();
    table.integer('expire_minutes').notNullable();
    table.integer('controller_id').notNullable().references('controllers.id');
    table.text('controller_voucher_id');
    // The intent it came from: an order is recorded once, whoever records it.
    table.text('intent_id').unique();
    table.integer('user_id');
    table.text('status').notNullable();
    table.integer('used_count').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at');
    table.unique(['controller_id', 'controller_voucher_id']);
    // The list of a site is one range of this index.
    table.index(['site_id', 'created_at', 'id'], 'vouchers_by_site');
  });
  await db.schema.createTable('idempotency_keys', (table) => {
    table.integer('api_key_id').notNullable().references('api_keys.id');
    table.text('idempotency_key').notNullable();
    table.text('fingerprint').notNullable();
    table.text('intent_id').notNullable().index();
    // The first answer, once there is one.
    table.text('answer');
    table.bigInteger('created_at').notNullable().index();
    table.primary(['api_key_id', 'idempotency_key']);
  });
  await db.schema.createTable('notifications', (table) => {
    table.text('id').primary();
    table.integer('count').notNullable();
    table.text('site').notNullable();
    table.text('source').notNullable();
    table.bigInteger('created_at').notNullable();
  });
  await db.schema.createTable('revisions', (table) => {
    table.text('name').primary();
    table.bigInteger('value').notNullable();
  });
  await db.schema.createTable('leases', (table) => {
    table.text('name').primary();
    table.text('owner').notNullable();
    table.bigInteger('until').notNullable();
  });
  // The columns are rate-limiter-flexible's. One process with SQLite counts in memory.
  await db.schema.createTable('rate_limits', (table) => {
    table.text('key').primary();
    table.integer('points').notNullable();
    table.bigInteger('expire');
  });
};
