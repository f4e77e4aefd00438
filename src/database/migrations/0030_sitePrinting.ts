import type { Knex } from 'knex';

/** On which paper the slips of a site are printed, and whether they are printed at once. */
export const addSitePrinting = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('sites', (table) => {
    // Null where nothing was chosen.
    table.text('slip_paper');
    // off, browser or printer.
    table.text('print_at_once').notNullable().defaultTo('off');
    // The receipt printer, for `printer` only.
    table.integer('printer_id');
  });
};
