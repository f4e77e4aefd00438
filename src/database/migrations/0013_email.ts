import type { Knex } from 'knex';

/** The outbox of e-mails with vouchers. */
export const createEmails = async (db: Knex): Promise<void> => {
  await db.schema.createTable('emails', (table) => {
    // Chosen by the page.
    table.text('id').primary();
    table.bigInteger('voucher_id').notNullable().references('vouchers.id');
    table.integer('user_id').notNullable();
    table.text('to').notNullable();
    table.text('language').notNullable();
    table.text('state').notNullable();
    table.integer('tries').notNullable();
    table.bigInteger('at').notNullable();
    table.text('reason');
    table.bigInteger('created_at').notNullable();
    table.index(['voucher_id', 'created_at'], 'emails_by_voucher');
  });
  await db.raw("create index emails_waiting on emails (created_at, id) where state = 'waiting'");
  await db.raw("create index emails_settled on emails (at) where state <> 'waiting'");
};
