import type { Knex } from 'knex';
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

/** The vouchers of one site that can be used when a span begins. */
export interface UsableVouchers {
  readonly siteId: number;
  readonly valid: number;
  /** Of these, those that were used already. */
  readonly inUse: number;
  /** Of these, those that expire in the span. */
  readonly ending: number;
}

export interface VoucherStatistics {
  /** Counts by site and span. Spans without vouchers are left out. */
  created(siteIds: readonly number[], spans: readonly TimeSpan[]): Promise<VoucherCount[]>;
  /** Counts the vouchers of each site that can be used when a span begins. */
  usable(siteIds: readonly number[], span: TimeSpan): Promise<UsableVouchers[]>;
}

/** More sites are counted by several statements. */
const maxSitesPerStatement = 1000;

/**
 * Counts vouchers in ranges of indexes, of which it reads no more than it counts, and no rows of the table.
 */
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
  usable: async (siteIds, { from, to }) => {
    // Literally, for the partial indexes of valid vouchers and of those in use.
    const valid = "select count(*) from vouchers where site_id = sites.id and status = 'valid'";
    const inUse = `${valid} and used_count > 0`;
    const unexpired = (vouchers: string, name: string): Knex.Raw =>
      read.raw(`(${vouchers} and expires_at is null) + (${vouchers} and expires_at > ?) as ??`, [from, name]);
    return inChunks(siteIds, (ids) =>
      read('sites')
        .whereIn('id', ids)
        .orderBy('id')
        .select<UsableVouchers[]>(
          { siteId: 'id' },
          unexpired(valid, 'valid'),
          unexpired(inUse, 'inUse'),
          read.raw(`(${valid} and expires_at > ? and expires_at < ?) as ??`, [from, to, 'ending']),
        ),
    );
  },
});

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
