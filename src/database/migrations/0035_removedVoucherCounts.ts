import type { Knex } from 'knex';

/**
 * What reports know of vouchers that retention has removed: how many were created in each quarter of an hour, and by
 * whom. A quarter, because every time zone begins its days at one. Unknown creators and profiles are '' and 0, because
 * null is never equal to null in a key.
 */
export const createRemovedVoucherCounts = async (db: Knex): Promise<void> => {
  await db.schema.createTable('removed_voucher_counts', (table) => {
    table.bigInteger('quarter').notNullable();
    table.integer('site_id').notNullable();
    table.text('creator_kind').notNullable();
    table.text('creator').notNullable();
    table.integer('profile_id').notNullable();
    table.text('state').notNullable();
    table.integer('created').notNullable();
    table.integer('used').notNullable();
    table.primary(['quarter', 'site_id', 'creator_kind', 'creator', 'profile_id', 'state']);
  });
};
