import type { Knex } from 'knex';
import { interruptedBy } from '../lib/interruption.js';
import type { Database } from './database.js';
import { storedStateSql } from './migrations/0012_search.js';
import { storedVoucherColumns, type StoredVoucher } from './vouchers.js';

/** What a search of the pages is restricted to. Times include `from` and exclude `to`. */
export interface VoucherCriteria {
  /** Beginnings of words, all of which a voucher has. */
  readonly words?: readonly string[] | undefined;
  /** The state at `now`. */
  readonly state?: 'valid' | 'in-use' | 'used' | 'expired' | 'revoked' | undefined;
  /** Undefined for all sites. */
  readonly siteIds?: readonly number[] | undefined;
  readonly profileId?: number | undefined;
  /** Who ordered it. */
  readonly source?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The last voucher of a page. */
export type VoucherPosition = Pick<StoredVoucher, 'createdAt' | 'id'>;

export interface VoucherFinder {
  /** The newest vouchers, or those before a position; among equal times the last recorded comes first. */
  find(criteria: VoucherCriteria, page: VoucherPage & { readonly limit: number }): Promise<StoredVoucher[]>;
}

/** Where a page begins, and the time that states are judged by. */
interface VoucherPage {
  readonly before?: VoucherPosition | undefined;
  readonly now: number;
  /** Aborts when nobody waits for the page any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Further words of a text are not looked at. */
const maxWords = 8;
/** With more words, or more sites, the newest vouchers are looked through instead of one range of an index for each. */
const maxRanges = 10;
/** So many vouchers are sorted at most. More that match are so many that the newest vouchers have enough of them. */
const maxSorted = 1000;

const selected = Object.fromEntries(
  Object.entries(storedVoucherColumns.aliases).map(([name, column]) => [name, `vouchers.${column}`]),
);

/** The text behind all texts that begin with a word. */
const endOf = (word: string): string => `${word}\u{10FFFF}`;

/**
 * The search of the pages. Each query reads a range of an index from its newest end until the page is full, so its cost
 * does not depend on how many vouchers there are; what one range can not tell is merged from several.
 */
export const makeVoucherFinder = ({ read }: Pick<Database, 'read'>): VoucherFinder => ({
  find: async (criteria, page) => {
    const queries = await planSearch(read, criteria, page);
    const lists = await Promise.all(
      queries.map(async (query) => {
        void query.select(selected).limit(page.limit).queryContext(interruptedBy(page.signal));
        const rows = (await query) as unknown[];
        return storedVoucherColumns.fromRows(rows);
      }),
    );
    return mergeNewest(lists, page.limit);
  },
});

const mergeNewest = (lists: readonly StoredVoucher[][], limit: number): StoredVoucher[] => {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  const byId = new Map(lists.flat().map((voucher) => [voucher.id, voucher]));
  return [...byId.values()].sort((a, b) => b.createdAt - a.createdAt || b.id - a.id).slice(0, limit);
};

/** The queries that together find what the criteria let through, newest first. */
export const planSearch = async (
  read: Knex,
  criteria: VoucherCriteria,
  page: VoucherPage,
): Promise<Knex.QueryBuilder[]> => {
  const { words = [], state, siteIds, profileId, source } = criteria;
  const { now, before } = page;
  if (siteIds?.length === 0) return [];
  const [first, ...others] = chooseWords(words);
  if (first !== undefined) return planWords(read, first, others, criteria, page);
  if (state === 'expired')
    return [
      restrict(fromVouchers(read, before), criteria).whereRaw(`(${storedStateSql}) = 'expired'`),
      // Literally, for the partial index.
      restrict(fromVouchers(read, before), criteria)
        .where('expires_at', '<=', now)
        .whereRaw("expires_at is not null and status <> 'expired' and revoked_at is null"),
    ];
  const restricted = (only: VoucherCriteria): Knex.QueryBuilder =>
    whereState(restrict(fromVouchers(read, before), only), state, now);
  const hasOtherIndex = state !== undefined || profileId !== undefined || source !== undefined;
  if (siteIds && siteIds.length > 1 && siteIds.length <= maxRanges && !hasOtherIndex)
    return siteIds.map((siteId) => restricted({ ...criteria, siteIds: [siteId] }));
  return [restricted(criteria)];
};

/**
 * The words that a search is restricted by, longest first: each costs a comparison per voucher. A word that begins
 * another one is found wherever that is found.
 */
export const chooseWords = (words: readonly string[]): string[] => {
  const chosen: string[] = [];
  for (const word of [...words].sort((a, b) => b.length - a.length)) {
    if (!chosen.some((longer) => longer.startsWith(word))) chosen.push(word);
    if (chosen.length === maxWords) break;
  }
  return chosen;
};

const planWords = async (
  read: Knex,
  first: string,
  others: readonly string[],
  criteria: VoucherCriteria,
  { now, before, signal }: VoucherPage,
): Promise<Knex.QueryBuilder[]> => {
  const restricted = (query: Knex.QueryBuilder, alike: readonly string[]): Knex.QueryBuilder => {
    // Words hold letters and digits only, and stand in quotation marks.
    for (const word of alike) void query.where('vouchers.words', 'like', `%"${word}%`);
    return whereState(restrict(query, criteria), criteria.state, now);
  };
  const known = await findWords(read, first, maxRanges + 1, signal);
  if (known.length <= maxRanges)
    return known.map((word) =>
      restricted(
        // The position and the times in the columns of the index, so that a later page costs what the first did.
        inTimes(
          newestFirst(read('voucher_words'), 'voucher_words', 'voucher_id', before),
          'voucher_words',
          criteria,
        )
          // SQLite never changes the order of a cross join: it would read all vouchers to find the words of each.
          .joinRaw('cross join vouchers')
          .whereRaw('vouchers.id = voucher_words.voucher_id')
          .where('voucher_words.word', word),
        others,
      ),
    );
  const range = read('voucher_words')
    .where('word', '>=', first)
    .where('word', '<', endOf(first))
    .select<{ voucherId: number }[]>({ voucherId: 'voucher_id' });
  const some = await range
    .clone()
    .limit(maxSorted + 1)
    .queryContext(interruptedBy(signal));
  if (some.length > maxSorted) return [restricted(fromVouchers(read, before), [first, ...others])];
  const ids = some.map(({ voucherId }) => voucherId);
  return [restricted(fromVouchers(read, before).whereIn('vouchers.id', ids), others)];
};

/** The words with a beginning, at most so many: one step in the index for each, however many vouchers have it. */
const findWords = async (
  read: Knex,
  beginning: string,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<string[]> => {
  const end = endOf(beginning);
  const found = read.raw<unknown>(
    `with recursive found (word, number) as (
       select (select min(word) from voucher_words where word >= ? and word < ?), 1
       union all
       select (select min(voucher_words.word) from voucher_words
               where voucher_words.word > found.word and voucher_words.word < ?), number + 1
       from found where found.word is not null and number < ?
     )
     select word from found where word is not null`,
    [beginning, end, end, limit],
  );
  const answer: unknown = await found.queryContext(interruptedBy(signal));
  // The drivers answer a raw statement each in their own way.
  const rows = Array.isArray(answer) ? answer : (answer as { rows: unknown[] }).rows;
  return (rows as { word: string }[]).map(({ word }) => word);
};

const fromVouchers = (read: Knex, before: VoucherPosition | undefined): Knex.QueryBuilder =>
  newestFirst(read('vouchers'), 'vouchers', 'id', before);

/** Sorted by the time and the voucher's id, from a position on. */
const newestFirst = (
  query: Knex.QueryBuilder,
  table: string,
  id: string,
  before: VoucherPosition | undefined,
): Knex.QueryBuilder => {
  const columns = [`${table}.created_at`, `${table}.${id}`];
  if (before) void query.whereRaw(`(${columns.join(', ')}) < (?, ?)`, [before.createdAt, before.id]);
  return query.orderBy(columns.map((column) => ({ column, order: 'desc' })));
};

const inTimes = (
  query: Knex.QueryBuilder,
  table: string,
  { from, to }: VoucherCriteria,
): Knex.QueryBuilder => {
  if (from !== undefined) void query.where(`${table}.created_at`, '>=', from);
  if (to !== undefined) void query.where(`${table}.created_at`, '<', to);
  return query;
};

const restrict = (query: Knex.QueryBuilder, criteria: VoucherCriteria): Knex.QueryBuilder => {
  const { siteIds, profileId, source } = criteria;
  if (siteIds) {
    const [only] = siteIds;
    if (siteIds.length === 1) void query.where('vouchers.site_id', only);
    else void query.whereIn('vouchers.site_id', siteIds);
  }
  if (profileId !== undefined) void query.where('vouchers.profile_id', profileId);
  if (source !== undefined) void query.where('vouchers.source', source);
  return inTimes(query, 'vouchers', criteria);
};

/** The state at a time, as `stateAt` in vouchers/view.ts says it. */
const whereState = (
  query: Knex.QueryBuilder,
  state: VoucherCriteria['state'],
  now: number,
): Knex.QueryBuilder => {
  if (state === undefined) return query;
  if (state === 'expired')
    return query.where((either) =>
      either
        .whereRaw(`(${storedStateSql}) = 'expired'`)
        .orWhere((overdue) => overdue.whereNull('revoked_at').where('expires_at', '<=', now)),
    );
  void query.whereRaw(`(${storedStateSql}) = '${state}'`);
  if (state === 'revoked') return query;
  return query.where((unexpired) => unexpired.whereNull('expires_at').orWhere('expires_at', '>', now));
};
