import type { Knex } from 'knex';

/** What administrators set in the pages: profiles, how slips look, rules for sign-in; and how keys are used. */
export const createPageTables = async (db: Knex): Promise<void> => {
  await db.schema.createTable('settings', (table) => {
    table.text('name').primary();
    // As JSON.
    table.text('value').notNullable();
  });
  await db.schema.createTable('key_usage', (table) => {
    table.integer('key_id').notNullable();
    // When the hour began.
    table.bigInteger('hour').notNullable();
    table.integer('requests').notNullable();
    table.integer('refusals').notNullable();
    // The hours of all keys are read and removed together.
    table.primary(['hour', 'key_id']);
  });
  await db.schema.createTable('profiles', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    // What names are compared by.
    table.text('name_key').notNullable().unique();
    table.integer('max_uses').notNullable();
    table.integer('expire_minutes').notNullable();
    table.integer('down').notNullable();
    table.integer('up').notNullable();
    table.integer('quota_mb').notNullable();
    table.boolean('for_all_sites').notNullable();
  });
  await db.schema.createTable('profile_sites', (table) => {
    table.integer('profile_id').notNullable().references('profiles.id').onDelete('CASCADE');
    table.integer('site_id').notNullable().references('sites.id');
    table.primary(['profile_id', 'site_id']);
  });
  await db.schema.alterTable('sites', (table) => {
    table.text('ssid');
    table.text('slip_text');
    table.integer('default_profile_id');
  });
  await db.schema.alterTable('controllers', (table) => {
    // When all of its vouchers were last compared, by whichever process.
    table.bigInteger('last_sync_at');
  });
  await db.schema.createTable('site_logos', (table) => {
    table.integer('site_id').primary().references('sites.id');
    table.text('media_type').notNullable();
    table.binary('image').notNullable();
  });
  // For the overview. New vouchers are not part of the first.
  await db.raw(
    'create index vouchers_used on vouchers (site_id, created_at, used_count) where used_count > 0',
  );
  await db.raw("create index vouchers_valid on vouchers (site_id, expires_at) where status = 'valid'");
};
