import type { Knex } from 'knex';
import type { Database } from '../../database/database.js';
import type { VoucherCriteria, VoucherPosition } from './voucherCriteria.js';

/** The part of the vouchers, by time, that a page is looked for in. */
export interface SearchedTimes extends Pick<VoucherCriteria, 'from' | 'to'> {
  /** Where the page begins. */
  readonly before?: VoucherPosition | undefined;
  /** The last voucher that is looked at. */
  readonly until?: VoucherPosition | undefined;
  /** Whether the oldest come first: then a page begins after `before`, and ends with a later voucher. */
  readonly isOldestFirst?: boolean | undefined;
}

/** A range of an index. */
export interface IndexRange {
  /** Its entries are sorted by time, so the newest are found at once. Others can only be read as a whole. */
  readonly isSorted: boolean;
  /**
   * The positions of its entries, as `createdAt` and `id`, in the order of the times where they are sorted.
   */
  positions(times: SearchedTimes): Knex.QueryBuilder;
  /**
   * The vouchers of its entries, in the order of the times. If others than these are left out afterwards, the
   * range has at most
   * `maxEntries` entries. PostgreSQL needs to know: it would read the whole table if it expects few to be
   * left.
   */
  vouchers(times: SearchedTimes, maxEntries?: number): Knex.QueryBuilder;
}

type Reader = Pick<Database, 'read' | 'dialect'>;

/** What stands in front of the time in an index, and its value. */
interface LeadingColumn {
  /** As the index has it, literally. */
  readonly sql: string;
  readonly value: string | number;
  /** What the index leaves out the other rows by, literally. */
  readonly condition?: string;
}

/** Vouchers with a value, by an index that has it in front of the time; all vouchers by the time alone. */
export const rangeOfVouchers = ({ read, dialect }: Reader, leading?: LeadingColumn): IndexRange => {
  const newest = (times: SearchedTimes): Knex.QueryBuilder => {
    const query = read('vouchers');
    if (leading?.condition !== undefined) void query.whereRaw(leading.condition);
    if (leading && dialect === 'postgres') return newestOfValue(query, leading, times);
    if (leading) void query.whereRaw(`${leading.sql} = ?`, [leading.value]);
    return inOrder(query, 'vouchers', 'id', times);
  };
  return {
    isSorted: true,
    positions: (times) => newest(times).select({ createdAt: 'vouchers.created_at', id: 'vouchers.id' }),
    vouchers: (times, maxEntries) => {
      if (dialect === 'sqlite' || maxEntries === undefined) return newest(times);
      const value = leading ? [read.raw(`${leading.sql} as range_value`)] : [];
      const entries = newest(times)
        .select('vouchers.*', ...value)
        .limit(maxEntries);
      // The same order again, which PostgreSQL then knows to be there already.
      return read
        .from(entries.as('vouchers'))
        .orderByRaw(
          orderOf([...(leading ? ['range_value'] : []), 'vouchers.created_at', 'vouchers.id'], times),
        );
    },
  };
};

/**
 * The same order, with the value as a part of it: no other index has that. Left to itself, PostgreSQL reads
 * the index by time and leaves out what has another value, which takes the longer the rarer the value is.
 */
const newestOfValue = (
  query: Knex.QueryBuilder,
  { sql, value }: LeadingColumn,
  times: SearchedTimes,
): Knex.QueryBuilder => {
  const columns = [sql, 'vouchers.created_at', 'vouchers.id'];
  const [oldest, newest] = [oldestOf(times), newestOf(times)];
  whereBound(query, columns, oldest.operator, [value, ...oldest.values]);
  whereBound(query, columns, newest.operator, [value, ...newest.values]);
  return query.orderByRaw(orderOf(columns, times));
};

/**
 * A row value of the first columns. One condition for each end: PostgreSQL looks up only one, and filters by
 * another.
 */
const whereBound = (
  query: Knex.QueryBuilder,
  columns: readonly string[],
  operator: Bound['operator'],
  values: readonly (string | number)[],
): void => {
  if (values.length === 0) return;
  const row = columns.slice(0, values.length).join(', ');
  void query.whereRaw(`(${row}) ${operator} (${values.map(() => '?').join(', ')})`, [...values]);
};

/** An end of the searched times: a position, only a time, or nothing, which everything is within. */
interface Bound {
  readonly operator: '<' | '<=' | '>' | '>=';
  readonly values: readonly number[];
}

/** A window ends within the times, so it decides alone. */
const oldestOf = ({ before, until, from, isOldestFirst = false }: SearchedTimes): Bound => {
  const begin = isOldestFirst ? before : until;
  if (begin && !(isOldestFirst && from !== undefined && from > begin.createdAt))
    return { operator: isOldestFirst ? '>' : '>=', values: [begin.createdAt, begin.id] };
  return { operator: '>=', values: from === undefined ? [] : [from] };
};

const newestOf = ({ before, until, to, isOldestFirst = false }: SearchedTimes): Bound => {
  const end = isOldestFirst ? until : before;
  if (end && !(!isOldestFirst && to !== undefined && to <= end.createdAt))
    return { operator: isOldestFirst ? '<=' : '<', values: [end.createdAt, end.id] };
  return to === undefined ? { operator: '<=', values: [] } : { operator: '<', values: [to] };
};

const orderOf = (columns: readonly string[], { isOldestFirst = false }: SearchedTimes): string =>
  columns.map((column) => `${column} ${isOldestFirst ? 'asc' : 'desc'}`).join(', ');

/** The vouchers with a word. */
export const rangeOfWord = (reader: Reader, word: string): IndexRange =>
  rangeOfEntries(reader, true, (query) => query.from('voucher_words as entries').where('entries.word', word));

/** The vouchers with a word that begins like this. */
export const rangeOfBeginning = (reader: Reader, beginning: string): IndexRange => {
  const entries = reader
    .read('voucher_words')
    .distinct('created_at', 'voucher_id')
    .where('word', '>=', beginning)
    .where('word', '<', endOf(beginning));
  return {
    ...rangeOfEntries(reader, false, (query) => query.from(entries.clone().as('entries'))),
    positions: () =>
      reader
        .read('voucher_words')
        .select({ createdAt: 'created_at', id: 'voucher_id' })
        .where('word', '>=', beginning)
        .where('word', '<', endOf(beginning)),
  };
};

/** The vouchers that have expired since their status was stored. */
export const rangeOfOverdue = (reader: Reader, now: number): IndexRange => {
  const overdue = (): Knex.QueryBuilder =>
    reader
      .read('vouchers')
      .where('expires_at', '<=', now)
      // Literally, for the partial index.
      .whereRaw("expires_at is not null and status <> 'expired' and revoked_at is null");
  // The plus keeps the index by time, which has another order, out of it.
  const entries = overdue().select(reader.read.raw('distinct +created_at as created_at, +id as voucher_id'));
  return {
    ...rangeOfEntries(reader, false, (query) => query.from(entries.clone().as('entries'))),
    positions: () => overdue().select({ createdAt: 'created_at', id: 'id' }),
  };
};

/** Entries with time and voucher, to which the vouchers are added one by one, in the order of the entries. */
const rangeOfEntries = (
  { read, dialect }: Reader,
  isSorted: boolean,
  from: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
): IndexRange => {
  const entries = (times: SearchedTimes): Knex.QueryBuilder =>
    inOrder(from(read.queryBuilder()), 'entries', 'voucher_id', times);
  return {
    isSorted,
    positions: (times) =>
      entries(times).select({ createdAt: 'entries.created_at', id: 'entries.voucher_id' }),
    // Neither database may turn this round: it would read all vouchers to find the entries of each. SQLite
    // keeps the order of a cross join, and PostgreSQL can't look into a subquery that has a limit or an
    // offset.
    vouchers: (times, maxEntries) => {
      if (dialect === 'sqlite')
        return entries(times).joinRaw('cross join vouchers').whereRaw('vouchers.id = entries.voucher_id');
      const eachVoucher =
        'cross join lateral (select * from vouchers where id = entries.voucher_id offset 0) as vouchers';
      if (maxEntries === undefined) return entries(times).joinRaw(eachVoucher);
      const limited = entries(times).select('entries.created_at', 'entries.voucher_id').limit(maxEntries);
      return read
        .from(limited.as('entries'))
        .joinRaw(eachVoucher)
        .orderByRaw(orderOf(['entries.created_at', 'entries.voucher_id'], times));
    },
  };
};

/** The text behind all texts that begin with a word. */
export const endOf = (word: string): string => `${word}\u{10FFFF}`;

/** Sorted by time and voucher, in the columns of the index, so that a later page costs what the first did. */
const inOrder = (
  query: Knex.QueryBuilder,
  table: string,
  id: string,
  times: SearchedTimes,
): Knex.QueryBuilder => {
  const columns = [`${table}.created_at`, `${table}.${id}`];
  const [oldest, newest] = [oldestOf(times), newestOf(times)];
  whereBound(query, columns, oldest.operator, oldest.values);
  whereBound(query, columns, newest.operator, newest.values);
  return query.orderByRaw(orderOf(columns, times));
};
