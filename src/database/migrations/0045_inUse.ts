import type { Knex } from 'knex';

/** For the overview. SQLite reads a row for what is not in the index, although its condition says it. */
export const indexVouchersInUse = async (db: Knex): Promise<void> => {
  await db.raw(
    `create index vouchers_in_use on vouchers (site_id, expires_at, used_count)
     where status = 'valid' and used_count > 0`,
  );
};
