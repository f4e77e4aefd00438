import type { Knex } from 'knex';

export const indexUnexpiredVouchers = async (db: Knex): Promise<void> => {
  // The sync asks for what has not expired site by site: a controller may have a thousand of them.
  await db.raw(
    "create index vouchers_unexpired on vouchers (controller_id, site_id, controller_voucher_id) where status <> 'expired'",
  );
  await db.raw('drop index vouchers_standing');
};
