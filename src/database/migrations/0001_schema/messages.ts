import type { Knex } from 'knex';

/** What is sent, to webhooks, by e-mail and by SMS. */
export const createMessages = async (db: Knex): Promise<void> => {
  await createWebhooks(db);
  await createVoucherMessages(db);
  await createAccountEmails(db);
};

const createWebhooks = async (db: Knex): Promise<void> => {
  await db.schema.createTable('webhooks', (table) => {
    table.increments('id');
    table.text('name').notNullable().unique();
    table.text('format').notNullable();
    table.text('language').notNullable();
    table.text('sealed_address').notNullable();
    table.text('sealed_secrets');
    table.boolean('active').notNullable();
    table.boolean('reports_controllers').notNullable().defaultTo(false);
    table.text('reason');
    table.bigInteger('created_at').notNullable();
  });
  await db.schema.createTable('notifications', (table) => {
    table.text('id').primary();
    table.text('type').notNullable().defaultTo('voucher.created');
    table.integer('count').notNullable();
    table.text('site').notNullable();
    table.text('source').notNullable();
    // What only some types have, as JSON.
    table.text('detail');
    table.bigInteger('created_at').notNullable();
    // When its deliveries were created; until then it waits in the outbox.
    table.bigInteger('dispatched_at').index();
  });
  await db.schema.createTable('deliveries', (table) => {
    table.bigIncrements('id');
    table.integer('webhook_id').notNullable().references('webhooks.id');
    table.text('notification_id').notNullable().references('notifications.id');
    table.text('state').notNullable();
    table.integer('tries').notNullable();
    // When the next try is due; for a delivery that is settled, when that was.
    table.bigInteger('at').notNullable();
    // When the last attempt was made, which tells a clock that was set back.
    table.bigInteger('tried_at');
    table.text('reason');
    table.boolean('holds').notNullable();
    table.bigInteger('created_at').notNullable();
    // In this order it also finds the deliveries of a notification.
    table.unique(['notification_id', 'webhook_id']);
    table.index(['state', 'webhook_id', 'id'], 'deliveries_by_state');
  });
  // For cleaning only: what still waits, which is what every order writes, stays out of it.
  await db.raw("create index deliveries_by_time on deliveries (state, at) where state <> 'waiting'");
};

/** The outboxes of e-mails and SMS with vouchers. */
const createVoucherMessages = async (db: Knex): Promise<void> => {
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
    table.bigInteger('tried_at');
    table.text('reason');
    table.bigInteger('created_at').notNullable();
    table.index(['voucher_id', 'created_at'], 'emails_by_voucher');
  });
  await db.raw("create index emails_waiting on emails (created_at, id) where state = 'waiting'");
  await db.raw("create index emails_settled on emails (at) where state <> 'waiting'");
  await db.schema.createTable('sms', (table) => {
    // Chosen by the page.
    table.text('id').primary();
    table.bigInteger('voucher_id').notNullable().references('vouchers.id').onDelete('CASCADE');
    table.integer('user_id').notNullable();
    table.text('to').notNullable();
    table.text('language').notNullable();
    table.text('state').notNullable();
    table.integer('tries').notNullable();
    table.bigInteger('at').notNullable();
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

/** E-mails to users about their accounts. */
const createAccountEmails = async (db: Knex): Promise<void> => {
  await db.schema.createTable('account_emails', (table) => {
    table.text('id').primary();
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('to').notNullable();
    table.text('language').notNullable();
    // What it is about, as JSON; without tokens, which are created when it is sent.
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
