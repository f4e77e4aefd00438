import type { Knex } from 'knex';
import { interruptedBy } from '../database/interruption.js';
import type { Database } from '../database/database.js';
import type { VoucherState } from '../vouchers/state.js';
import type { TimeSpan } from '../vouchers/voucherStatisticsTable.js';
import { countedColumns, countedSql, quarterMs } from '../vouchers/removedCountTable.js';

/** Vouchers that have everything in common that reports tell apart. */
export interface VoucherGroup {
  /** The quarter of an hour in which they were created, since 1970. */
  readonly quarter: number;
  readonly siteId: number;
  /** Empty where it is not known. */
  readonly creatorKind: string;
  readonly creator: string;
  /** 0 for vouchers without a profile. */
  readonly profileId: number;
  readonly state: VoucherState;
  readonly created: number;
  /** Of these, those that were used at least once. */
  readonly used: number;
}

/** Which vouchers are counted. */
export interface CountedVouchers {
  /** When they were created; both ends begin a quarter of an hour. */
  readonly span: TimeSpan;
  /** Undefined for all sites. */
  readonly siteIds: readonly number[] | undefined;
  /** The time that states are judged by. */
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ReportTable {
  /** The groups of vouchers that exist, a piece at a time: a group may come in several pieces. */
  existing(counted: CountedVouchers): AsyncGenerator<readonly VoucherGroup[], void, void>;
  /** The groups of those that retention has removed, likewise. */
  removed(counted: CountedVouchers): AsyncGenerator<readonly VoucherGroup[], void, void>;
  /** How many of the latter there are. */
  countRemoved(counted: CountedVouchers): Promise<number>;
}

/**
 * One statement reads at most this many vouchers, or rows of counts: others wait for its connection, and
 * then for the event loop, which takes their groups in one turn.
 */
const batchSize = 250;

const aliases = {
  quarter: 'quarter',
  siteId: 'site_id',
  creatorKind: 'creator_kind',
  creator: 'creator',
  profileId: 'profile_id',
  state: 'state',
  created: 'created',
  used: 'used',
};

export const makeReportTable = ({ read }: Pick<Database, 'read'>): ReportTable => ({
  existing: async function* (counted) {
    const { sql, bindings } = countedSql(counted.now);
    for await (const batch of batchesOf(read, counted)) {
      const groups = batch()
        .select(read.raw(sql, [...bindings]))
        .groupByRaw(countedColumns.map((_, index) => String(index + 1)).join(', '))
        .as('counted');
      yield await read
        .from(groups)
        .queryContext(interruptedBy(counted.signal))
        .select<VoucherGroup[]>(aliases);
    }
  },
  removed: async function* (counted) {
    for (let from: number | undefined = counted.span.from; from !== undefined;) {
      const rest: TimeSpan = { from, to: counted.span.to };
      const next: { quarter: number } | undefined = await inQuarters(read, { ...counted, span: rest })
        .queryContext(interruptedBy(counted.signal))
        .orderBy('quarter')
        .offset(batchSize)
        .first('quarter');
      // At least one quarter, however many rows it has.
      const to: number = next ? Math.max(next.quarter * quarterMs, from + quarterMs) : rest.to;
      yield await inQuarters(read, { ...counted, span: { from, to } })
        .queryContext(interruptedBy(counted.signal))
        .select<VoucherGroup[]>(aliases);
      from = to < rest.to ? to : undefined;
    }
  },
  countRemoved: async (counted) => {
    const row = await inQuarters(read, counted).first<{ total: number | null } | undefined>(
      read.raw('sum(created) as total'),
    );
    return row?.total ?? 0;
  },
});

const inQuarters = (read: Knex, { span, siteIds }: CountedVouchers): Knex.QueryBuilder => {
  const rows = read('removed_voucher_counts')
    .where('quarter', '>=', Math.floor(span.from / quarterMs))
    .where('quarter', '<', Math.floor(span.to / quarterMs));
  return siteIds === undefined ? rows : rows.whereIn('site_id', siteIds);
};

/** When a voucher was created, and its id. */
type Position = readonly [createdAt: number, id: number];

/** The vouchers in pieces, by the index of a site where it is one, else by that of times. */
const batchesOf = async function* (
  read: Knex,
  { span, siteIds, signal }: CountedVouchers,
): AsyncGenerator<() => Knex.QueryBuilder, void, void> {
  if (siteIds?.length === 0) return;
  const [only] = siteIds?.length === 1 ? siteIds : [];
  // The times are those of the piece, not of the span: SQLite reads by them, and PostgreSQL guesses by them
  // how few there are.
  const between = (after: Position | undefined, last?: Position): Knex.QueryBuilder => {
    const vouchers = read('vouchers').where('created_at', '>=', after?.[0] ?? span.from);
    if (last) void vouchers.where('created_at', '<=', last[0]);
    else void vouchers.where('created_at', '<', span.to);
    if (only !== undefined) void vouchers.where('site_id', only);
    if (after) void vouchers.whereRaw('(created_at, id) > (?, ?)', [...after]);
    if (last) void vouchers.whereRaw('(created_at, id) <= (?, ?)', [...last]);
    return vouchers;
  };
  for (let after: Position | undefined; ;) {
    const found: { created_at: number; id: number } | undefined = await between(after)
      .queryContext(interruptedBy(signal))
      .orderBy(['created_at', 'id'])
      .offset(batchSize - 1)
      .first('created_at', 'id');
    const last: Position | undefined = found && [found.created_at, found.id];
    const begin = after;
    // A function, because a query is a promise, too: whoever yields one runs it.
    yield () => {
      const batch = between(begin, last);
      return siteIds && only === undefined ? batch.whereIn('site_id', siteIds) : batch;
    };
    if (!last) return;
    after = last;
  }
};
