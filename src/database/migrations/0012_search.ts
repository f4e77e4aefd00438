import type { Knex } from 'knex';

/** What the search for vouchers needs, so that its cost does not depend on how many there are. */
export const indexVouchers = async (db: Knex): Promise<void> => {
  const isPostgres = (db.client as { dialect: string }).dialect === 'postgresql';
  await db.schema.alterTable('vouchers', (table) => {
    // The words that a voucher is found by, as a JSON array.
    table.text('words');
  });
  // The words of a range are next to each other, and of each word the newest vouchers.
  await db.raw(
    `create table voucher_words (
       word text ${isPostgres ? 'collate "C"' : ''} not null, created_at bigint not null, voucher_id bigint not null,
       primary key (word, created_at, voucher_id)
     ) ${isPostgres ? '' : 'without rowid'}`,
  );
  await fillWords(db);
  await (isPostgres ? followInPostgres(db) : followInSqlite(db));
  await db.raw('create index vouchers_by_time on vouchers (created_at, id)');
  await db.raw('create index vouchers_by_source on vouchers (source, created_at, id)');
  await db.raw(
    'create index vouchers_by_profile on vouchers (profile_id, created_at, id) where profile_id is not null',
  );
  await db.raw(`create index vouchers_by_state on vouchers ((${storedStateSql}), created_at, id)`);
  // Vouchers that have expired since the last sync; new ones are not among them.
  await db.raw(
    `create index vouchers_overdue on vouchers (expires_at)
     where expires_at is not null and status <> 'expired' and revoked_at is null`,
  );
};

/** Literally the expression of the index. */
export const storedStateSql =
  "case when revoked_at is not null then 'revoked' when status = 'valid' and used_count > 0 then 'in-use' else status end";

const batchSize = 500;

const fillWords = async (db: Knex): Promise<void> => {
  for (let after = 0; ;) {
    const vouchers = await db('vouchers')
      .select<{ id: number; code: string; name: string; createdAt: number }[]>({
        ...{ id: 'id', code: 'code', name: 'name', createdAt: 'created_at' },
      })
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize);
    const last = vouchers.at(-1);
    if (!last) return;
    after = last.id;
    const found = vouchers.map((voucher) => ({ ...voucher, words: toSearchWords(voucher) }));
    await db.raw(
      `with found (id, words) as (values ${found.map(() => '(cast(? as bigint), cast(? as text))').join(', ')})
       update vouchers set words = found.words from found where vouchers.id = found.id`,
      found.flatMap(({ id, words }) => [id, JSON.stringify(words)]),
    );
    const rows = found.flatMap(({ id, createdAt, words }) =>
      words.map((word) => ({ word, created_at: createdAt, voucher_id: id })),
    );
    for (let start = 0; start < rows.length; start += batchSize)
      await db('voucher_words').insert(rows.slice(start, start + batchSize));
  }
};

/** Triggers, because an order shall not need another statement. */
const followInSqlite = async (db: Knex): Promise<void> => {
  await db.raw(
    `create trigger vouchers_words after insert on vouchers begin
       insert or ignore into voucher_words (word, created_at, voucher_id)
       select value, new.created_at, new.id from json_each(new.words);
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

// How words were made when this migration was released. Copied, because the program's own rules may change.
const maxNameWords = 12;
const maxWordLength = 40;
const codeBlockLength = 5;

const splitIntoWords = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => Array.from(word).slice(0, maxWordLength).join(''));

const toSearchWords = ({ name, code }: { name: string; code: string }): string[] => {
  const named = splitIntoWords(name.replace(/^\d{4}-\d{2}-\d{2}_/, '')).slice(0, maxNameWords);
  const digits = splitIntoWords(code).join('').slice(0, maxWordLength);
  const blocks = Array.from({ length: Math.ceil(digits.length / codeBlockLength) }, (_, index) =>
    digits.slice(index * codeBlockLength),
  );
  return [...new Set([...named, ...blocks])];
};
