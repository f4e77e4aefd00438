import type { Knex } from 'knex';
import { storedStateSql } from '../database/migrations/0012_search.js';
import type { Database } from '../database/database.js';

/** A span of time; `to` is not part of it. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The vouchers of one site that were created in one span. */
export interface VoucherCount {
  readonly siteId: number;
  /** The number of the span, from 0. */
  readonly span: number;
  readonly created: number;
  /** Of these, those that were used at least once. */
  readonly used: number;
}

export interface VoucherStatistics {
  /** Counts by site and span. Spans without vouchers are left out. */
  created(siteIds: readonly number[], spans: readonly TimeSpan[]): Promise<VoucherCount[]>;
  /** How many vouchers of each site can be used at a time. */
  valid(siteIds: readonly number[], at: number): Promise<Map<number, number>>;
  /** How many vouchers of these sites were used, and can be used again at a time. */
  inUse(siteIds: readonly number[], at: number): Promise<number>;
  /** How many vouchers of these sites can be used when a span begins, and expire in it. */
  ending(siteIds: readonly number[], span: TimeSpan): Promise<number>;
}

/** More sites are counted by several statements. */
const maxSitesPerStatement = 1000;

/** Counts vouchers in ranges of indexes, so the cost depends on the spans and not on the table. */
export const makeVoucherStatistics = ({ read }: Pick<Database, 'read'>): VoucherStatistics => ({
  created: async (siteIds, spans) => {
    if (spans.length === 0) return [];
    const values = spans.map(() => '(cast(? as integer), cast(? as bigint), cast(? as bigint))').join(', ');
    const range = 'site_id = sites.id and created_at >= spans.since and created_at < spans.until';
    return inChunks(siteIds, (ids) => {
      const counts = read
        .with('spans', ['span', 'since', 'until'], read.raw(`values ${values}`, spans.flatMap(toValues)))
        .from('sites')
        .joinRaw('cross join spans')
        .whereIn('sites.id', ids)
        .select({
          siteId: 'sites.id',
          span: 'spans.span',
          created: read.raw(`(select count(*) from vouchers where ${range})`),
          // Literally, for the partial index of used vouchers.
          used: read.raw(`(select count(*) from vouchers where ${range} and used_count > 0)`),
        });
      return read
        .from(counts.as('counts'))
        .where('created', '>', 0)
        .orderBy(['span', 'siteId'])
        .select<VoucherCount[]>('*');
    });
  },
  valid: async (siteIds, at) => {
    // Literally, for the partial index of valid vouchers.
    const valid = "select count(*) from vouchers where site_id = sites.id and status = 'valid'";
    const rows = await inChunks(siteIds, (ids) =>
      read('sites')
        .whereIn('sites.id', ids)
        .select<{ id: number; endless: number; limited: number }[]>(
          'id',
          read.raw(`(${valid} and expires_at is null) as endless`),
          read.raw(`(${valid} and expires_at > ?) as limited`, [at]),
        ),
    );
    return new Map(rows.map(({ id, endless, limited }) => [id, endless + limited]));
  },
  inUse: async (siteIds, at) =>
    sum(
      await inChunks(siteIds, (ids) =>
        countOf(
          read('vouchers')
            // Literally, for the index of states.
            .whereRaw(`(${storedStateSql}) = 'in-use'`)
            .whereIn('site_id', ids)
            .where((either) => either.whereNull('expires_at').orWhere('expires_at', '>', at)),
        ),
      ),
    ),
  ending: async (siteIds, { from, to }) =>
    sum(
      await inChunks(siteIds, (ids) =>
        countOf(
          read('vouchers')
            // Literally, for the partial index of overdue vouchers.
            .whereRaw("expires_at is not null and status <> 'expired' and revoked_at is null")
            .where('expires_at', '>', from)
            .where('expires_at', '<', to)
            .where('status', 'valid')
            .whereIn('site_id', ids),
        ),
      ),
    ),
});

const countOf = (vouchers: Knex.QueryBuilder): PromiseLike<{ count: number }[]> =>
  vouchers.count({ count: '*' });

const sum = (rows: readonly { readonly count: number }[]): number =>
  rows.reduce((total, { count }) => total + count, 0);

const toValues = ({ from, to }: TimeSpan, index: number): Knex.Value[] => [index, from, to];

const inChunks = async <T>(
  siteIds: readonly number[],
  query: (ids: readonly number[]) => PromiseLike<T[]>,
): Promise<T[]> => {
  const found: T[] = [];
  for (let start = 0; start < siteIds.length; start += maxSitesPerStatement)
    found.push(...(await query(siteIds.slice(start, start + maxSitesPerStatement))));
  return found;
};
