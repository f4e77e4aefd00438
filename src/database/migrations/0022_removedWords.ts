import type { Knex } from 'knex';

/**
 * Removes the search words of a voucher with it. SQLite finds them by their whole key only in a statement for a single
 * voucher: for many at once it would read every voucher with one of these words. PostgreSQL needs no trigger.
 */
export const removeWordsWithVouchers = async (db: Knex): Promise<void> => {
  if ((db.client as { dialect: string }).dialect === 'postgresql') return;
  await db.raw(
    `create trigger vouchers_words_removed after delete on vouchers when old.words is not null begin
       delete from voucher_words where created_at = old.created_at and voucher_id = old.id
         and word in (select value from json_each(old.words));
     end`,
  );
};
