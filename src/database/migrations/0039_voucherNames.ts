import type { Knex } from 'knex';

/** The vouchers of an order of many may have names of their own, which their controller does not know. */
export const addVoucherNames = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('intents', (table) => {
    // As a JSON array with the dates in front; null where all vouchers are called like the order.
    table.text('names');
  });
  await db.schema.alterTable('vouchers', (table) => {
    // What the controller calls it, where that is not its name.
    table.text('controller_name');
  });
};
