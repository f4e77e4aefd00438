import type { Knex } from 'knex';

/** Receipt printers on the network, and the sites that they are for. */
export const createPrinters = async (db: Knex): Promise<void> => {
  await db.schema.createTable('printers', (table) => {
    table.increments('id');
    table.text('name').notNullable();
    // What names are compared by.
    table.text('name_key').notNullable().unique();
    table.text('host').notNullable();
    table.integer('port').notNullable();
    table.text('paper').notNullable();
    table.boolean('for_all_sites').notNullable();
  });
  await db.schema.createTable('printer_sites', (table) => {
    table.integer('printer_id').notNullable().references('printers.id').onDelete('CASCADE');
    table.integer('site_id').notNullable().references('sites.id');
    table.primary(['printer_id', 'site_id']);
  });
};
