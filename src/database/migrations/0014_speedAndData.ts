import type { Knex } from 'knex';

/** How fast a voucher is, and how much data it is for, as it was ordered. Null for those of earlier versions. */
export const addSpeedAndData = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('vouchers', (table) => {
    table.integer('down');
    table.integer('up');
    table.integer('quota_mb');
  });
};
