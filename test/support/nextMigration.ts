import type { Database } from '../../src/database/database.js';
import type { Migration } from '../../src/database/migrations/index.js';
import { tablesOf } from './sampleRows.js';

/**
 * The migration of a version that does not exist yet, as wide as the rule allows that a migration only adds: columns of
 * all kinds for every table, a table, and an index.
 */
export const makeNextMigration = (dialect: Database['dialect']): Migration => ({
  name: '9999_next',
  up: async (db) => {
    for (const { name } of await tablesOf({ dialect, read: db }))
      await db.schema.alterTable(name, (table) => {
        table.text('next_text');
        table.bigInteger('next_number');
        table.boolean('next_flag').notNullable().defaultTo(false);
      });
    await db.schema.createTable('next_table', (table) => {
      table.increments('id');
      table.integer('site_id').references('sites.id');
    });
    await db.schema.alterTable('vouchers', (table) => {
      table.index(['next_number', 'id'], 'vouchers_next');
    });
  },
});
