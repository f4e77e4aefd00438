import type { Knex } from 'knex';
import type { Database } from '../../database/database.js';
import { interruptedBy } from '../../database/interruption.js';
import { sortedNameSql } from '../../database/migrations/0001_schema/voucherSearch.js';
import { storedVoucherColumns, type StoredVoucher } from '../voucherTable.js';
import { readCriteria, type Criterion } from './searchCriteria.js';
import { readProbes, searchWindow } from './searchPlan.js';
import { rangeOfVouchers, type SearchedTimes } from './searchRanges.js';
import type { NamePosition, VoucherCriteria } from './voucherCriteria.js';

/** A page of vouchers by name: where it begins, and which way it goes. */
export interface NamePage {
  readonly after?: NamePosition | undefined;
  readonly isDescending: boolean;
  readonly limit: number;
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundByName {
  readonly vouchers: StoredVoucher[];
  /** Where the next page begins; undefined at the end. Also set when this page was not filled. */
  readonly next: NamePosition | undefined;
}

type Reader = Pick<Database, 'read' | 'dialect'>;
type NamedVoucher = StoredVoucher & NamePosition;

const selected = Object.fromEntries(
  Object.entries(storedVoucherColumns.aliases).map(([name, column]) => [name, `vouchers.${column}`]),
);

/**
 * Finds vouchers in the order of their names. A criterion that only a few vouchers have is read as a whole
 * and sorted. Otherwise the index of names is read, a window for each page, and the criteria are compared:
 * then at least one voucher in as many as there are for each entry of a window has each of them.
 */
export const findByName = async (
  reader: Reader,
  criteria: VoucherCriteria,
  page: NamePage,
): Promise<FoundByName> => {
  const given = await readCriteria(reader, criteria, page.now, page.signal);
  if (!given) return { vouchers: [], next: undefined };
  const times: SearchedTimes = { from: criteria.from, to: criteria.to };
  if (times.from !== undefined || times.to !== undefined) given.push(timeCriterion(reader, times));
  if (given.length === 0) return toPage(await readNext(reader, page, page.limit + 1), page);
  const few = await findRare(reader, given, times, page.signal);
  if (few) return toPage(await readWhole(reader, few, given, times, page), page);
  return readWindow(reader, given, page);
};

const timeCriterion = (reader: Reader, { from, to }: SearchedTimes): Criterion => ({
  ranges: [rangeOfVouchers(reader)],
  isExact: true,
  restrict: (query) => {
    if (from !== undefined) void query.whereRaw('vouchers.created_at + 0 >= ?', [from]);
    if (to !== undefined) void query.whereRaw('vouchers.created_at + 0 < ?', [to]);
  },
});

/** A criterion whose ranges hold no more entries than a window. */
const findRare = async (
  reader: Reader,
  given: readonly Criterion[],
  times: SearchedTimes,
  signal: AbortSignal | undefined,
): Promise<Criterion | undefined> => {
  const probes = given.flatMap((criterion) =>
    (criterion.ranges ?? []).map((range, _, { length }) => ({
      criterion,
      query: range
        .positions(times)
        .limit(1)
        .offset(Math.floor(searchWindow / length)),
    })),
  );
  const ends = await readProbes(
    reader,
    probes.map(({ query }) => query),
    signal,
  );
  const tooMany = new Set([...ends.keys()].map((index) => probes[index]?.criterion));
  return given.find((criterion) => criterion.ranges && !tooMany.has(criterion));
};

/** All vouchers of a rare criterion, sorted. */
const readWhole = async (
  { read, dialect }: Reader,
  rare: Criterion,
  given: readonly Criterion[],
  times: SearchedTimes,
  { after, isDescending, signal }: NamePage,
): Promise<NamedVoucher[]> => {
  const lists = await Promise.all(
    (rare.ranges ?? []).map(async (range) => {
      const query = range.vouchers(times, searchWindow);
      for (const criterion of given) if (criterion !== rare || !criterion.isExact) criterion.restrict(query);
      return (await query
        .select({ ...selected, sortedName: read.raw(keySql(dialect)) })
        .queryContext(interruptedBy(signal))) as NamedVoucher[];
    }),
  );
  const sign = isDescending ? -1 : 1;
  const byId = new Map(lists.flat().map((voucher) => [voucher.id, voucher]));
  return [...byId.values()]
    .filter((voucher) => !after || sign * compare(voucher, after) > 0)
    .sort((one, other) => sign * compare(one, other));
};

/** As both databases compare: by the bytes of UTF-8. */
const compare = (one: NamePosition, other: NamePosition): number =>
  Buffer.compare(Buffer.from(one.sortedName), Buffer.from(other.sortedName)) || one.id - other.id;

/** The next vouchers of the index, at most `count`. */
const readNext = async (reader: Reader, page: NamePage, count: number): Promise<NamedVoucher[]> => {
  const found: NamedVoucher[] = [];
  for (const part of partsAfter(reader, page)) {
    if (found.length >= count) break;
    const query = reader.read.from(part.limit(count - found.length).as('vouchers'));
    found.push(...((await selectNamed(query, page)) as NamedVoucher[]));
  }
  return found;
};

/** What the next entries of the index have that match all criteria. */
const readWindow = async (
  reader: Reader,
  given: readonly Criterion[],
  page: NamePage,
): Promise<FoundByName> => {
  const found: NamedVoucher[] = [];
  let last: NamePosition | undefined;
  for (const part of partsAfter(reader, page)) {
    const entries = part.limit(searchWindow);
    [last] = (await reader.read
      .from(entries.clone().as('vouchers'))
      .select({ sortedName: 'sorted_name', id: 'id' })
      .limit(1)
      .offset(searchWindow - 1)
      .orderBy(orderOf(page))
      .queryContext(interruptedBy(page.signal))) as NamePosition[];
    const query = reader.read.from(entries.as('vouchers'));
    for (const criterion of given) criterion.restrict(query);
    found.push(...((await selectNamed(query.limit(page.limit + 1), page)) as NamedVoucher[]));
    // Vouchers of one name that are more than a window: the next name comes with a later page.
    if (last || found.length > page.limit) break;
  }
  const { vouchers, next } = toPage(found, page);
  return { vouchers, next: next ?? last };
};

const orderOf = ({ isDescending }: NamePage) =>
  ['sorted_name', 'id'].map((column) => ({ column, order: isDescending ? 'desc' : 'asc' }));

const selectNamed = (query: Knex.QueryBuilder, page: NamePage): Knex.QueryBuilder =>
  query
    .select({ ...selected, sortedName: 'vouchers.sorted_name' })
    .orderBy(orderOf(page))
    .queryContext(interruptedBy(page.signal));

/**
 * The entries of the index behind a position: those of the same name, then those of others.
 * SQLite can't enter an index of an expression by both at once.
 */
const partsAfter = ({ read, dialect }: Reader, { after, isDescending }: NamePage): Knex.QueryBuilder[] => {
  const key = keySql(dialect);
  const [behind, direction] = isDescending ? ['<', 'desc'] : ['>', 'asc'];
  const entries = (): Knex.QueryBuilder =>
    read('vouchers')
      .select('vouchers.*', read.raw(`${key} as sorted_name`))
      .orderByRaw(`${key} ${direction}, id ${direction}`);
  if (!after) return [entries()];
  return [
    entries().whereRaw(`${key} = ?`, [after.sortedName]).whereRaw(`id ${behind} ?`, [after.id]),
    entries().whereRaw(`${key} ${behind} ?`, [after.sortedName]),
  ];
};

/** Literally as the index has it. */
const keySql = (dialect: Database['dialect']): string =>
  dialect === 'postgres' ? `(${sortedNameSql}) collate "C"` : `(${sortedNameSql})`;

const toPage = (found: readonly NamedVoucher[], { limit }: NamePage): FoundByName => {
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    vouchers: found.slice(0, limit),
    next: last && { sortedName: last.sortedName, id: last.id },
  };
};
