import type { Knex } from 'knex';

/** Controllers that can't be reached, and the webhooks that want to know. */
export const createControllerOutages = async (db: Knex): Promise<void> => {
  await db.schema.createTable('controller_outages', (table) => {
    table.integer('controller_id').primary().references('controllers.id').onDelete('CASCADE');
    table.bigInteger('since').notNullable();
    table.text('failure').notNullable();
    // When webhooks were told; null while it may be a short one.
    table.bigInteger('reported_at');
  });
  await db.schema.alterTable('webhooks', (table) => {
    table.boolean('reports_controllers').notNullable().defaultTo(false);
  });
  await db.schema.alterTable('notifications', (table) => {
    table.text('type').notNullable().defaultTo('voucher.created');
    // What only some types have, as JSON.
    table.text('detail');
  });
};
