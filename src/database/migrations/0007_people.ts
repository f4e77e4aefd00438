import type { Knex } from 'knex';

/** Users of the pages, their sessions, and the log of who did what. */
export const createPeopleTables = async (db: Knex): Promise<void> => {
  await db.schema.createTable('users', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    // The keys are what the texts are compared by. The databases fold the case of A to Z only, or by their locale.
    table.text('name_key').notNullable().unique();
    table.text('email');
    table.text('email_key').unique();
    table.text('role').notNullable();
    table.text('password_hash');
    table.boolean('password_is_temporary').notNullable();
    table.text('sealed_totp_secret');
    table.text('sealed_totp_enrolment');
    table.bigInteger('totp_last_step');
    // Rises with every change that ends sessions: a sign-in that began before it gets none.
    table.integer('sign_in_version').notNullable();
    table.text('language');
    table.bigInteger('disabled_at');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_sign_in_at');
  });
  await db.schema.createTable('user_sites', (table) => {
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.integer('site_id').notNullable().references('sites.id');
    table.primary(['user_id', 'site_id']);
  });
  await db.schema.createTable('recovery_codes', (table) => {
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('hash').notNullable();
    table.bigInteger('used_at');
    table.primary(['user_id', 'hash']);
  });
  await db.schema.createTable('sessions', (table) => {
    // The SHA-256 of its token.
    table.text('id').primary();
    table.integer('user_id').notNullable().index().references('users.id').onDelete('CASCADE');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at').notNullable();
    table.text('address');
    table.text('browser');
    table.boolean('second_factor').notNullable();
  });
  // Tokens with which the first administrator is made.
  await db.schema.createTable('setup_tokens', (table) => {
    table.text('hash').primary();
    table.bigInteger('expires_at').notNullable();
  });
  await db.schema.createTable('audit_log', (table) => {
    table.bigIncrements('id');
    table.bigInteger('at').notNullable();
    table.text('actor_kind').notNullable();
    table.text('actor_name');
    table.text('action').notNullable();
    table.text('subject_kind');
    table.text('subject_id');
    table.text('subject_name');
    table.text('address');
    table.text('detail').notNullable();
    table.integer('count').notNullable();
    // Entries with the same key are counted together.
    table.text('merge_key').unique();
    table.index(['at', 'id'], 'audit_log_by_time');
  });
};
