import type { Knex } from 'knex';

/** By what people and their browsers are known, and who placed an order. */
export const addIdentities = async (db: Knex): Promise<void> => {
  // Browsers in which users have signed in.
  await db.schema.createTable('known_browsers', (table) => {
    // The SHA-256 of the token that the browser keeps.
    table.text('id').notNullable();
    table.integer('user_id').notNullable().index().references('users.id').onDelete('CASCADE');
    table.bigInteger('used_at').notNullable().index();
    table.primary(['id', 'user_id']);
  });
  // What the identity provider calls somebody; null until their first single sign-on.
  await db.schema.alterTable('users', (table) => {
    table.text('issuer');
    table.text('subject');
    table.unique(['issuer', 'subject']);
  });
  // Who placed an order; null for those of earlier versions.
  await db.schema.alterTable('intents', (table) => {
    table.text('actor_kind');
    table.text('actor_name');
  });
};
