import type { Knex } from 'knex';

/** E-mails to users about their accounts, and the tokens of the links in them. */
export const createAccountEmails = async (db: Knex): Promise<void> => {
  await db.schema.createTable('account_tokens', (table) => {
    // The SHA-256 of the token.
    table.text('hash').primary();
    table.integer('user_id').notNullable().index().references('users.id').onDelete('CASCADE');
    table.text('purpose').notNullable();
    // Where it was sent: it is not valid any more once the user has another address.
    table.text('email_key').notNullable();
    table.bigInteger('expires_at').notNullable();
  });
  await db.schema.createTable('account_emails', (table) => {
    table.text('id').primary();
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('to').notNullable();
    table.text('language').notNullable();
    // What it is about, as JSON; without tokens, which are made when it is sent.
    table.text('notice').notNullable();
    table.text('state').notNullable();
    table.integer('tries').notNullable();
    table.bigInteger('at').notNullable();
    table.bigInteger('tried_at');
    table.text('reason');
    table.bigInteger('created_at').notNullable();
    table.index(['user_id'], 'account_emails_by_user');
  });
  await db.raw(
    "create index account_emails_waiting on account_emails (created_at, id) where state = 'waiting'",
  );
  await db.raw("create index account_emails_settled on account_emails (at) where state <> 'waiting'");
};
