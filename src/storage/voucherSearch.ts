import type { Knex } from 'knex';
import { defineColumns } from './columns.js';
import type { Database } from './database.js';
import { voucherColumns, type Voucher, type VoucherStatus } from './vouchers.js';

/** A recorded voucher, and where it is. */
export interface FoundVoucher extends Voucher {
  readonly id: number;
  readonly siteId: number;
  readonly controllerId: number;
  /** Null when the controller did not tell it. */
  readonly controllerVoucherId: string | null;
}

const locationColumns = defineColumns<Omit<FoundVoucher, keyof Voucher>>({
  id: 'plain',
  siteId: 'plain',
  controllerId: 'plain',
  controllerVoucherId: 'plain',
});

export interface VoucherFilter {
  /** As it is at `now`: one whose expiry has passed has expired, whatever the sync wrote last. */
  readonly status?: VoucherStatus | undefined;
  readonly nameContains?: string | undefined;
}

/** How a person looks for vouchers. */
export interface VoucherSearch {
  /** The vouchers of a site, newest first; of equal times the later recorded first. */
  newest(siteId: number, filter: VoucherFilter, now: number, limit: number): Promise<FoundVoucher[]>;
  /** The vouchers with a code, newest first: a controller may give a code out again. */
  byCode(code: string): Promise<FoundVoucher[]>;
}

export const makeVoucherSearch = ({ read, dialect }: Database): VoucherSearch => {
  const newestFirst = () =>
    read('vouchers')
      .select<FoundVoucher[]>({ ...voucherColumns.aliases, ...locationColumns.aliases })
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]);
  // Both compare without regard to case: SQLite's own `like` for the letters A to Z.
  const like = dialect === 'postgres' ? 'ilike' : 'like';
  return {
    newest: async (siteId, { status, nameContains }, now, limit) => {
      const found = newestFirst().where('site_id', siteId).limit(limit);
      if (status !== undefined) void found.where((rows) => whereStatus(rows, status, now));
      if (nameContains !== undefined)
        void found.whereRaw(`name ${like} ? escape '!'`, [`%${nameContains.replaceAll(/[%_!]/g, '!$&')}%`]);
      return found;
    },
    byCode: async (code) => newestFirst().where('code', code),
  };
};

const whereStatus = (rows: Knex.QueryBuilder, status: VoucherStatus, now: number): Knex.QueryBuilder =>
  status === 'expired'
    ? rows.where('status', 'expired').orWhere('expires_at', '<=', now)
    : rows
        .where('status', status)
        .where((standing) => standing.whereNull('expires_at').orWhere('expires_at', '>', now));
