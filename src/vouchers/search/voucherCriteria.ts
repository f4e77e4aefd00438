import type { StoredVoucher } from '../voucherTable.js';
import type { VoucherCreator } from '../origin.js';
import type { VoucherState } from '../state.js';

/** What a search of the pages is restricted to. Times include `from` and exclude `to`. */
export interface VoucherCriteria {
  /** Beginnings of words, all of which a voucher has. */
  readonly words?: readonly string[] | undefined;
  /** The state at `now`; `expired` includes those that are gone. */
  readonly state?: Exclude<VoucherState, 'gone'> | undefined;
  /** Undefined for all sites. */
  readonly siteIds?: readonly number[] | undefined;
  readonly profileId?: number | undefined;
  /** Who may have ordered it; undefined for anybody. */
  readonly creators?: readonly VoucherCreator[] | undefined;
  /** Leaves out the others of an order of many. */
  readonly onlyFirstOfOrder?: boolean | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Where a voucher is among all, by name. */
export interface NamePosition {
  /** As the index of names has it. */
  readonly sortedName: string;
  readonly id: number;
}

/** Where a voucher is among all, by time. */
export type VoucherPosition = Pick<StoredVoucher, 'createdAt' | 'id'>;
