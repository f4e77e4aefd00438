import type { Knex } from 'knex';

export const createControllers = async (db: Knex): Promise<void> => {
  await db.schema.createTable('controllers', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    table.text('kind').notNullable();
    // As JSON, without anything secret.
    table.text('settings').notNullable();
    // Users, passwords and keys, as sealed JSON; null for controllers without any.
    table.text('sealed_credentials');
    // What tells its console from others, as far as it was seen.
    table.text('identity');
    // When all of its vouchers were last compared, by whichever process.
    table.bigInteger('last_sync_at');
    table.bigInteger('created_at').notNullable();
    // A controller whose sites have vouchers stays for their sake; its credentials are gone.
    table.bigInteger('removed_at');
  });
  // The name of a removed controller is free again.
  await db.raw('create unique index controllers_by_name on controllers (name) where removed_at is null');
  // Controllers that can't be reached.
  await db.schema.createTable('controller_outages', (table) => {
    table.integer('controller_id').primary().references('controllers.id').onDelete('CASCADE');
    table.bigInteger('since').notNullable();
    table.text('failure').notNullable();
    // When webhooks were told; null while it may be a short one.
    table.bigInteger('reported_at');
  });
};
