import type { Knex } from 'knex';

/** Where we choose the codes of vouchers, they are stored before the controller is asked. */
export const addOwnCodes = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('intents', (table) => {
    // A JSON array, sealed; null where the controller chooses them.
    table.text('sealed_codes');
  });
  await db.schema.alterTable('vouchers', (table) => {
    // How many characters of the code are shown as a block, 0 for all of them; null for five.
    table.integer('code_block');
  });
};
