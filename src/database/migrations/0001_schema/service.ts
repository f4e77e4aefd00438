import type { Knex } from 'knex';

/** What processes share, and what administrators set up for the service as a whole. */
export const createService = async (db: Knex): Promise<void> => {
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
  // One row that readiness checks replace, to find out whether the database has room.
  await db.schema.createTable('write_probes', (table) => {
    table.increments('id');
    table.binary('filler').notNullable();
  });
  await db.schema.createTable('settings', (table) => {
    table.text('name').primary();
    // As JSON.
    table.text('value').notNullable();
  });
  // Servers that the service itself uses, such as the mail server, as administrators set them up in the web UI.
  await db.schema.createTable('connections', (table) => {
    table.increments('id');
    table.text('name').notNullable().unique();
    // As JSON, without anything secret.
    table.text('settings').notNullable();
    // What the secret is sent to, such as host and user: it opens for nothing else.
    table.text('secret_for');
    table.text('sealed_secret');
  });
  // The pictures of the web UI. Its title and colour are in `settings`.
  await db.schema.createTable('brand_pictures', (table) => {
    table.text('kind').primary();
    table.text('media_type').notNullable();
    table.binary('image').notNullable();
    table.text('version').notNullable();
    table.text('tone').notNullable();
  });
};
