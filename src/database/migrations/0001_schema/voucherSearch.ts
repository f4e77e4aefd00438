import type { Knex } from 'knex';

/** What the search for vouchers needs, so that its cost does not depend on how many there are. */
export const createVoucherSearch = async (db: Knex): Promise<void> => {
  const isPostgres = (db.client as { dialect: string }).dialect === 'postgresql';
  const byBytes = isPostgres ? ' collate "C"' : '';
  // The words of a range are next to each other, and of each word the newest vouchers.
  await db.raw(
    `create table voucher_words (
       word text${byBytes} not null, created_at bigint not null, voucher_id bigint not null,
       primary key (word, created_at, voucher_id)
     ) ${isPostgres ? '' : 'without rowid'}`,
  );
  await (isPostgres ? followInPostgres(db) : followInSqlite(db));
  await db.raw('create index vouchers_by_time on vouchers (created_at, id)');
  await db.raw('create index vouchers_by_source on vouchers (source, created_at, id)');
  await db.raw(
    'create index vouchers_by_profile on vouchers (profile_id, created_at, id) where profile_id is not null',
  );
  await db.raw(`create index vouchers_by_state on vouchers ((${storedStateSql}), created_at, id)`);
  await db.raw(`create index vouchers_by_name on vouchers ((${sortedNameSql})${byBytes}, id)`);
  // For lists of orders instead of their vouchers.
  await db.raw('create index vouchers_first on vouchers (position, created_at, id) where position = 0');
};

/** Triggers, because an order shall not need another statement. */
const followInSqlite = async (db: Knex): Promise<void> => {
  await db.raw(
    `create trigger vouchers_words after insert on vouchers begin
       insert or ignore into voucher_words (word, created_at, voucher_id)
       select value, new.created_at, new.id from json_each(new.words);
     end`,
  );
  // SQLite finds the words by their whole key only in a statement for a single voucher: for many at once it would read
  // every voucher with one of these words. PostgreSQL needs no trigger.
  await db.raw(
    `create trigger vouchers_words_removed after delete on vouchers begin
       delete from voucher_words where created_at = old.created_at and voucher_id = old.id
         and word in (select value from json_each(old.words));
     end`,
  );
};

const followInPostgres = async (db: Knex): Promise<void> => {
  await db.raw(
    `create function index_voucher_words() returns trigger language plpgsql as $body$
     begin
       insert into voucher_words (word, created_at, voucher_id)
       select distinct word, inserted.created_at, inserted.id
       from inserted, json_array_elements_text(inserted.words::json) as word;
       return null;
     end $body$`,
  );
  await db.raw(
    `create trigger vouchers_words after insert on vouchers referencing new table as inserted
     for each statement execute function index_voucher_words()`,
  );
};

/** Literally the expression of the index. */
export const storedStateSql =
  "case when revoked_at is not null then 'revoked' when status = 'valid' and used_count > 0 then 'in-use' else status end";

const withoutDate = `case when substr(name, 5, 1) = '-' and substr(name, 8, 1) = '-'
  and (length(name) = 10 or substr(name, 11, 1) = '_') then substr(name, 12, 100) else substr(name, 1, 100) end`;

/** SQLite's `lower` changes the letters A to Z only. */
const plainLetters: readonly (readonly [letter: string, plain: string])[] = [
  ['ä', 'a'],
  ['Ä', 'a'],
  ['ö', 'o'],
  ['Ö', 'o'],
  ['ü', 'u'],
  ['Ü', 'u'],
  ['ß', 'ss'],
  ['é', 'e'],
  ['É', 'e'],
  ['è', 'e'],
  ['á', 'a'],
  ['ø', 'o'],
  ['Ø', 'o'],
  ['å', 'a'],
  ['Å', 'a'],
  ['ł', 'l'],
  ['Ł', 'l'],
];

/** Literally the expression of the index: the beginning of a name without its date, as a list of names is sorted. */
export const sortedNameSql = `lower(${plainLetters.reduce(
  (sql, [letter, plain]) => `replace(${sql}, '${letter}', '${plain}')`,
  withoutDate,
)})`;
