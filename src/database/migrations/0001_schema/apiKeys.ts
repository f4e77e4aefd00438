import type { Knex } from 'knex';

export const createApiKeys = async (db: Knex): Promise<void> => {
  await db.schema.createTable('api_keys', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    table.text('prefix').notNullable().index();
    table.text('hash').notNullable();
    table.text('scope').notNullable();
    table.integer('rate_limit').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at');
    table.bigInteger('revoked_at');
    table.bigInteger('expires_at');
  });
  await db.schema.createTable('key_usage', (table) => {
    table.integer('key_id').notNullable();
    // When the hour began.
    table.bigInteger('hour').notNullable();
    table.integer('requests').notNullable();
    table.integer('refusals').notNullable();
    // How many requests ended in an unexpected error.
    table.integer('failures').notNullable().defaultTo(0);
    // The hours of all keys are read and removed together.
    table.primary(['hour', 'key_id']);
  });
  await db.schema.createTable('idempotency_keys', (table) => {
    table.integer('api_key_id').notNullable().references('api_keys.id');
    table.text('idempotency_key').notNullable();
    table.text('fingerprint').notNullable();
    table.text('intent_id').notNullable().index();
    // The first answer, once there is one.
    table.text('answer');
    table.bigInteger('created_at').notNullable().index();
    table.primary(['api_key_id', 'idempotency_key']);
  });
};
