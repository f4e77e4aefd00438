import type { Knex } from 'knex';

/** The outbox of SMS with vouchers. */
export const createSms = async (db: Knex): Promise<void> => {
  await db.schema.createTable('sms', (table) => {
    // Chosen by the page.
    table.text('id').primary();
    // A process of the version before removes vouchers without knowing of these.
    table.bigInteger('voucher_id').notNullable().references('vouchers.id').onDelete('CASCADE');
    table.integer('user_id').notNullable();
    table.text('to').notNullable();
    table.text('language').notNullable();
    table.text('state').notNullable();
    table.integer('tries').notNullable();
    table.bigInteger('at').notNullable();
    // When the last attempt was made, which tells a clock that was set back.
    table.bigInteger('tried_at');
    // Set while an attempt runs: where it stays, nobody knows whether the provider has accepted the SMS.
    table.bigInteger('begun_at');
    table.text('reason');
    table.bigInteger('created_at').notNullable();
    table.index(['voucher_id', 'created_at'], 'sms_by_voucher');
    // How many there were in the last day.
    table.index(['created_at'], 'sms_by_time');
  });
  await db.raw("create index sms_waiting on sms (created_at, id) where state = 'waiting'");
  await db.raw("create index sms_settled on sms (at) where state <> 'waiting'");
};
