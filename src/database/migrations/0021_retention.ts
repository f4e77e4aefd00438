import type { Knex } from 'knex';

/** For vouchers without another time of their end: when it was first seen that they are gone from their controller. */
export const addEndOfVouchers = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('vouchers', (table) => {
    table.bigInteger('ended_at');
  });
};
