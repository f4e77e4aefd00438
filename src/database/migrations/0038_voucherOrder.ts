import type { Knex } from 'knex';

/**
 * Lists orders instead of their vouchers, and sorts vouchers by name. Indexes only, which processes of earlier versions
 * keep up to date as well.
 */
export const indexVoucherOrder = async (db: Knex): Promise<void> => {
  const isPostgres = (db.client as { dialect: string }).dialect === 'postgresql';
  await db.raw('create index vouchers_first on vouchers (position, created_at, id) where position = 0');
  const collation = isPostgres ? ' collate "C"' : '';
  await db.raw(`create index vouchers_by_name on vouchers ((${sortedNameSql})${collation}, id)`);
};

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
