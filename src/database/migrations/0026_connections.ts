import type { Knex } from 'knex';

/** Servers that the service itself uses, such as the mail server, as administrators set them up in the web UI. */
export const createConnections = async (db: Knex): Promise<void> => {
  await db.schema.createTable('connections', (table) => {
    table.increments('id');
    table.text('name').notNullable().unique();
    // As JSON, without anything secret.
    table.text('settings').notNullable();
    // What the secret is sent to, such as host and user: it opens for nothing else.
    table.text('secret_for');
    table.text('sealed_secret');
  });
};
