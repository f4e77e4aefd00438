import { Problem, Refusal } from '../errors/problem.js';
import { seesSite } from '../sites/siteScope.js';
import type { User } from '../users/users.js';
import type { SiteDetails, Sites } from '../sites/sites.js';
import type { VoucherTables } from './voucherTables.js';
import type { Clock } from '../lib/system.js';
import type { StoredVoucher } from './voucherTable.js';
import type { DeskOrders } from './deskOrders.js';
import { mayBeHandedOut } from './state.js';

/** What somebody selects in the pages: vouchers, or an order. */
export interface VoucherSelection {
  readonly voucherIds: readonly number[] | null;
  readonly orderId: string | null;
}

export type VoucherViewer = Pick<User, 'id' | 'role' | 'siteIds'>;

/**
 * The selected vouchers, in the order in which they were selected. Throws when one is not the viewer's to
 * see.
 */
export type SelectVouchers = (selection: VoucherSelection, viewer: VoucherViewer) => Promise<StoredVoucher[]>;

export const makeSelectVouchers =
  ({ vouchers }: Pick<VoucherTables, 'vouchers'>, orders: Pick<DeskOrders, 'find'>): SelectVouchers =>
  async ({ voucherIds, orderId }, viewer) => {
    if ((voucherIds === null) === (orderId === null) || voucherIds?.length === 0)
      throw new Refusal('selection-invalid', 'either vouchers or an order', 'invalid');
    if (orderId !== null) return vouchers.ofIntent((await orders.find(orderId, viewer)).id);
    const ids = [...new Set(voucherIds)];
    const found = new Map((await vouchers.byIds(ids)).map((voucher) => [voucher.id, voucher]));
    return ids.map((id) => {
      const voucher = found.get(id);
      if (!voucher || !seesSite(viewer, voucher.siteId)) throw new Problem('not_found');
      return voucher;
    });
  };

/** A voucher with its site. */
export interface SelectedVoucher {
  readonly voucher: StoredVoucher;
  readonly site: SiteDetails;
}

/** Like `SelectVouchers`, with the sites. There is at least one. */
export type SelectWithSites = (
  selection: Partial<VoucherSelection>,
  viewer: VoucherViewer,
) => Promise<SelectedVoucher[]>;

export const makeSelectWithSites =
  (select: SelectVouchers, sites: Pick<Sites, 'list'>): SelectWithSites =>
  async ({ voucherIds = null, orderId = null }, viewer) => {
    const vouchers = await select({ voucherIds, orderId }, viewer);
    // An order may have none yet.
    if (vouchers.length === 0) throw new Problem('not_found');
    const siteOf = new Map((await sites.list(viewer)).map((site) => [site.id, site]));
    return vouchers.map((voucher) => {
      const site = siteOf.get(voucher.siteId);
      if (!site) throw new Problem('not_found');
      return { voucher, site };
    });
  };

/**
 * Like `select`, without those whose codes are no longer valid: these are not handed out. Throws when none is
 * left.
 */
export const makeSelectValid =
  (select: SelectWithSites, clock: Clock): SelectWithSites =>
  async (selection, viewer) => {
    const now = clock.now();
    const valid = (await select(selection, viewer)).filter(({ voucher }) => mayBeHandedOut(voucher, now));
    if (valid.length === 0)
      throw new Refusal('no-longer-valid', 'revoked and expired vouchers are not handed out');
    return valid;
  };
