import type { Knex } from 'knex';

/** What is sent, to webhooks, by e-mail and by SMS. */
export const createMessages = async (db: Knex): Promise<void> => {
  await createWebhooks(db);
  await createOutbox(db);
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
};

/** Everything that is sent: deliveries to webhooks, e-mails and SMS. */
const createOutbox = async (db: Knex): Promise<void> => {
  await db.schema.createTable('outbox', (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    // Chosen by the caller, so that what is asked for twice is sent once. Null for deliveries.
    table.text('key');
    table.integer('webhook_id').references('webhooks.id');
    table.text('notification_id').references('notifications.id');
    // The voucher that is sent.
    table.bigInteger('voucher_id').references('vouchers.id');
    // The user whose account it is about.
    table.integer('user_id').references('users.id').onDelete('CASCADE');
    // To whom, in which language, and what a user is told, as JSON; without tokens, which are created when it
    // is sent. Null for deliveries.
    table.text('message');
    table.text('state').notNullable();
    table.integer('tries').notNullable();
    // When the next attempt is due; for one that is settled, when that was.
    table.bigInteger('at').notNullable();
    // When the last attempt failed, which tells a clock that was set back.
    table.bigInteger('tried_at');
    // Set while an attempt of an SMS runs: where it stays, nobody knows whether the provider has accepted it.
    table.bigInteger('begun_at');
    // Whether later deliveries to the same webhook wait for this one.
    table.boolean('holds').notNullable();
    table.text('reason');
    table.bigInteger('created_at').notNullable();
    // What is due, what waits, and what was settled when.
    table.index(['kind', 'state', 'at'], 'outbox_by_state');
  });
  for (const statement of [
    'create unique index outbox_by_key on outbox (kind, key) where key is not null',
    // Also finds the deliveries of a notification.
    `create unique index outbox_by_notification on outbox (notification_id, webhook_id)
     where notification_id is not null`,
    'create index outbox_by_webhook on outbox (webhook_id, state, id) where webhook_id is not null',
    'create index outbox_by_voucher on outbox (voucher_id, id) where voucher_id is not null',
    'create index outbox_by_user on outbox (user_id) where user_id is not null',
    // How many there were in the last day.
    "create index outbox_sms_by_time on outbox (created_at) where kind = 'sms'",
  ])
    await db.raw(statement);
};
