import type { Knex } from 'knex';

/**
 * Finds old vouchers by their end, site by site. A transaction of its own: with PostgreSQL, adding the column keeps
 * everybody from the table until its transaction ends, and building the index only those that write.
 */
export const indexEndedVouchers = async (db: Knex): Promise<void> => {
  await db.raw(
    `create index vouchers_ended on vouchers (site_id, (coalesce(revoked_at, expires_at, ended_at)))
     where status = 'expired'`,
  );
};
