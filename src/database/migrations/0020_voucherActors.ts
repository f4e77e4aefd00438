import type { Knex } from 'knex';

/** Who ordered a voucher: what they are, and their name. Null for those of earlier versions. */
export const addVoucherActors = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('vouchers', (table) => {
    table.text('actor_kind');
    table.text('actor_name');
  });
};
