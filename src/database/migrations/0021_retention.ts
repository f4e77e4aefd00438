import type { Knex } from 'knex';

/** When a voucher ended, by which old ones are found, site by site. */
export const indexEndedVouchers = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('vouchers', (table) => {
    // For those without another time: when it was first seen that they are gone from their controller.
    table.bigInteger('ended_at');
  });
  await db.raw(
    `create index vouchers_ended on vouchers (site_id, (coalesce(revoked_at, expires_at, ended_at)))
     where status = 'expired'`,
  );
};
