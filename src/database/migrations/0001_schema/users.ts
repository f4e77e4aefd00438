import type { Knex } from 'knex';

/** Users of the pages, how they sign in, and the log of who did what. */
export const createUsers = async (db: Knex): Promise<void> => {
  await db.schema.createTable('users', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    // The keys are what the texts are compared by. The databases fold the case of A to Z only, or by their locale.
    table.text('name_key').notNullable().unique();
    table.text('email');
    table.text('email_key').unique();
    table.text('role').notNullable();
    table.text('language');
    table.text('password_hash');
    table.boolean('password_is_temporary').notNullable();
    table.text('sealed_totp_secret');
    table.text('sealed_totp_enrolment');
    table.bigInteger('totp_last_step');
    // What the identity provider calls them; null until their first single sign-on.
    table.text('issuer');
    table.text('subject');
    // Rises with every change that ends sessions: a sign-in that began before it gets none.
    table.integer('sign_in_version').notNullable();
    table.bigInteger('disabled_at');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_sign_in_at');
    table.unique(['issuer', 'subject']);
  });
  await db.schema.createTable('user_sites', (table) => {
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.integer('site_id').notNullable().references('sites.id');
    table.primary(['user_id', 'site_id']);
  });
  await createSignIn(db);
  await createAuditLog(db);
};

const createSignIn = async (db: Knex): Promise<void> => {
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
  await db.schema.createTable('recovery_codes', (table) => {
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('hash').notNullable();
    table.bigInteger('used_at');
    table.primary(['user_id', 'hash']);
  });
  // Browsers in which users have signed in.
  await db.schema.createTable('known_browsers', (table) => {
    // The SHA-256 of the token that the browser keeps.
    table.text('id').notNullable();
    table.integer('user_id').notNullable().index().references('users.id').onDelete('CASCADE');
    table.bigInteger('used_at').notNullable().index();
    table.primary(['id', 'user_id']);
  });
  // Tokens with which the first administrator is created.
  await db.schema.createTable('setup_tokens', (table) => {
    table.text('hash').primary();
    table.bigInteger('expires_at').notNullable();
  });
  // Tokens of the links in e-mails about accounts.
  await db.schema.createTable('account_tokens', (table) => {
    // The SHA-256 of the token.
    table.text('hash').primary();
    table.integer('user_id').notNullable().index().references('users.id').onDelete('CASCADE');
    table.text('purpose').notNullable();
    // Where it was sent: it is not valid any more once the user has another address.
    table.text('email_key').notNullable();
    table.bigInteger('expires_at').notNullable();
  });
};

const createAuditLog = async (db: Knex): Promise<void> => {
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
