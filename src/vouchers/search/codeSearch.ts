import type { Knex } from 'knex';
import { defineColumns } from '../../database/columns.js';
import type { Database } from '../../database/database.js';
import type { RecordedState } from '../state.js';
import { voucherColumns, type Voucher } from '../voucherTable.js';

/** A recorded voucher with its site and controller. */
export interface FoundVoucher extends Voucher {
  readonly id: number;
  readonly siteId: number;
  readonly controllerId: number;
  /** Null when the controller did not return it. */
  readonly controllerVoucherId: string | null;
  /** How many characters of the code are shown as a block: see `StoredVoucher`. */
  readonly codeBlock: number | null;
}

const locationColumns = defineColumns<Omit<FoundVoucher, keyof Voucher>>({
  id: 'plain',
  siteId: 'plain',
  controllerId: 'plain',
  controllerVoucherId: 'plain',
  codeBlock: 'plain',
});

export interface VoucherFilter {
  /** The status at `now`: a voucher past its expiry has expired, even if the last sync was before. */
  readonly status?: RecordedState | undefined;
  readonly nameContains?: string | undefined;
}

/** Vouchers searched by a person. */
export interface VoucherSearch {
  /** The vouchers of a site, newest first; among equal times the last recorded comes first. */
  newest(siteId: number, filter: VoucherFilter, now: number, limit: number): Promise<FoundVoucher[]>;
  /** The vouchers with a code, newest first: a controller may reuse codes. */
  byCode(code: string): Promise<FoundVoucher[]>;
}

/** The queries behind the search for vouchers. */
export const makeVoucherSearch = ({ read, dialect }: Database): VoucherSearch => {
  const newestFirst = () =>
    read('vouchers')
      .select<FoundVoucher[]>({ ...voucherColumns.aliases, ...locationColumns.aliases })
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]);
  // Both ignore case; SQLite's `like` only for the letters A to Z.
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

const whereStatus = (rows: Knex.QueryBuilder, status: RecordedState, now: number): Knex.QueryBuilder =>
  status === 'expired'
    ? rows.where('status', 'expired').orWhere('expires_at', '<=', now)
    : rows
        .where('status', status)
        .where((unexpired) => unexpired.whereNull('expires_at').orWhere('expires_at', '>', now));
