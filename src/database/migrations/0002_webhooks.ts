import type { Knex } from 'knex';

export const createWebhookTables = async (db: Knex): Promise<void> => {
  await db.schema.createTable('webhooks', (table) => {
    table.increments('id');
    table.text('name').notNullable().unique();
    table.text('format').notNullable();
    table.text('language').notNullable();
    table.text('sealed_address').notNullable();
    table.text('sealed_secrets');
    table.boolean('active').notNullable();
    table.text('reason');
    table.bigInteger('created_at').notNullable();
  });
  await db.schema.alterTable('notifications', (table) => {
    // When its deliveries were made; until then it waits in the outbox.
    table.bigInteger('dispatched_at').index();
  });
  // What was recorded before there were webhooks is news to nobody.
  await db('notifications').update({ dispatched_at: db.ref('created_at') });
  await db.schema.createTable('deliveries', (table) => {
    table.bigIncrements('id');
    table.integer('webhook_id').notNullable().references('webhooks.id');
    table.text('notification_id').notNullable().references('notifications.id');
    table.text('state').notNullable();
    table.integer('tries').notNullable();
    // When the next try is due; for a delivery that is settled, when that was.
    table.bigInteger('at').notNullable();
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
