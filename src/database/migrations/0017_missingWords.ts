import type { Knex } from 'knex';

/** Finds the vouchers that an earlier version has recorded beside a later one: it does not know the search words. */
export const indexMissingWords = async (db: Knex): Promise<void> => {
  await db.raw('create index vouchers_without_words on vouchers (id) where words is null');
};
