import type { Knex } from 'knex';
import { interruptedBy } from '../../database/interruption.js';
import type { Database } from '../../database/database.js';
import { readCriteria, readRows, type Criterion } from './searchCriteria.js';
import { rangeOfVouchers, type SearchedTimes } from './searchRanges.js';
import type { VoucherCriteria, VoucherPosition } from './voucherCriteria.js';

/** Where a page begins, and the time that states are judged by. */
export interface SearchedPage {
  /** The last voucher of the page before. */
  readonly before?: VoucherPosition | undefined;
  readonly isOldestFirst?: boolean | undefined;
  readonly now: number;
  /** Aborts when nobody waits for the page any more. */
  readonly signal?: AbortSignal | undefined;
}

/** The queries that together find a page, each in the order of the page. */
export interface SearchPlan {
  readonly queries: readonly Knex.QueryBuilder[];
  /** The last voucher that they look at; undefined when they look at all. */
  readonly until?: VoucherPosition | undefined;
  /**
   * The entries of indexes that planning took, and those that the queries read in order until the page is
   * full.
   */
  readonly entries: {
    readonly probed: readonly Knex.QueryBuilder[];
    readonly read: readonly Knex.QueryBuilder[];
  };
}

type Reader = Pick<Database, 'read' | 'dialect'>;

/** How many entries of an index a page is looked for in. */
export const searchWindow = 1000;

/**
 * Plans a page so that its cost does not depend on how many vouchers there are. Of all criteria, the one is
 * read by its index whose newest entries reach back furthest, because it lets the fewest through; the others
 * are compared. Where that does not fill the page, it ends after as many entries as a window has, and the
 * next one goes on from there.
 */
export const planSearch = async (
  reader: Reader,
  criteria: VoucherCriteria,
  page: SearchedPage,
): Promise<SearchPlan> => {
  const given = await readCriteria(reader, criteria, page.now, page.signal);
  if (!given) return { queries: [], entries: { probed: [], read: [] } };
  const everything: Criterion = {
    ranges: [rangeOfVouchers(reader)],
    isExact: true,
    restrict: () => undefined,
  };
  const { before, isOldestFirst } = page;
  const times: SearchedTimes = { before, isOldestFirst, from: criteria.from, to: criteria.to };
  const [only = everything] = given;
  const readsOnlyMatches = only.isExact && only.ranges?.every(({ isSorted }) => isSorted) === true;
  const { chosen, until, probed } =
    given.length <= 1 && readsOnlyMatches
      ? { chosen: only, until: undefined, probed: undefined }
      : await chooseRarest(reader, [...given, everything], times, page.signal);
  const queries = (chosen.ranges ?? []).map((range) => {
    const query = range.vouchers({ ...times, until }, probed && searchWindow);
    for (const criterion of given) if (criterion !== chosen || !criterion.isExact) criterion.restrict(query);
    return query.queryContext(interruptedBy(page.signal));
  });
  const read = (chosen.ranges ?? []).map((range) => range.positions({ ...times, until }));
  return { queries, until, entries: { probed: probed ?? [], read } };
};

/** The criterion whose ranges hold the fewest of the next vouchers, and where a window of them ends. */
const chooseRarest = async (
  reader: Reader,
  criteria: readonly Criterion[],
  times: SearchedTimes,
  signal: AbortSignal | undefined,
): Promise<{
  chosen: Criterion;
  until: VoucherPosition | undefined;
  probed: readonly Knex.QueryBuilder[];
}> => {
  const probes = criteria.flatMap((criterion) =>
    (criterion.ranges ?? []).map((range, _, { length }) => ({
      criterion,
      range,
      positions: range.positions(times),
      // The last entry of a window, or the first that is too much for one that has no order.
      last: range.isSorted ? Math.floor(searchWindow / length) - 1 : searchWindow,
    })),
  );
  const ends = await readProbes(
    reader,
    probes.map(({ positions, last }) => positions.clone().limit(1).offset(last)),
    signal,
  );
  const comesFirst = (one: VoucherPosition, other: VoucherPosition): boolean =>
    times.isOldestFirst === true ? isNewer(other, one) : isNewer(one, other);
  let chosen: { criterion: Criterion; until: VoucherPosition | undefined } | undefined;
  for (const criterion of criteria) {
    if (!criterion.ranges) continue;
    const own = [...probes.entries()].filter(([, probe]) => probe.criterion === criterion);
    if (own.some(([index, { range }]) => !range.isSorted && ends.has(index))) continue;
    const until = firstOf(
      own.flatMap(([index]) => ends.get(index) ?? []),
      comesFirst,
    );
    if (!chosen || (chosen.until && (!until || comesFirst(chosen.until, until))))
      chosen = { criterion, until };
  }
  if (!chosen) throw new Error('the time is always a criterion');
  const probed = probes.map(({ positions, last }) => positions.limit(last + 1));
  return { chosen: chosen.criterion, until: chosen.until, probed };
};

const isNewer = (one: VoucherPosition, other: VoucherPosition): boolean =>
  one.createdAt > other.createdAt || (one.createdAt === other.createdAt && one.id > other.id);

const firstOf = (
  positions: readonly VoucherPosition[],
  comesFirst: (one: VoucherPosition, other: VoucherPosition) => boolean,
): VoucherPosition | undefined =>
  positions.reduce<VoucherPosition | undefined>(
    (first, position) => (first && comesFirst(first, position) ? first : position),
    undefined,
  );

/** Reads the one row that each probe may have, by the number of the probe, in a single statement. */
export const readProbes = async (
  { read }: Reader,
  probes: readonly Knex.QueryBuilder[],
  signal: AbortSignal | undefined,
): Promise<Map<number, VoucherPosition>> => {
  const compiled = probes.map((probe) => probe.toSQL());
  const statement = compiled
    .map(({ sql }, index) => `select ${String(index)} as number, probe.* from (${sql}) as probe`)
    .join(' union all ');
  const bindings = compiled.flatMap((probe) => probe.bindings as Knex.RawBinding[]);
  const rows = await readRows<VoucherPosition & { number: number }>(read.raw(statement, bindings), signal);
  return new Map(rows.map(({ number, createdAt, id }) => [number, { createdAt, id }]));
};
