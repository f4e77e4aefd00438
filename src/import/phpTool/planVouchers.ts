import type { PlannedSite } from './planControllers.js';
import type { Findings } from './findings.js';
import type { PlannedUser } from './planUsers.js';
import type { SourceVoucher } from './sourceModel.js';

/** A voucher as it is recorded. `siteId` is the site that it has afterwards. */
export interface PlannedVoucher extends Omit<SourceVoucher, 'userId' | 'isFound'> {
  readonly site: PlannedSite;
  /** The name of the user who ordered it, if it was one. */
  readonly userName: string | null;
}

interface VoucherContext {
  readonly sites: readonly PlannedSite[];
  readonly siteIdsBySource: ReadonlyMap<number, number>;
  readonly users: readonly PlannedUser[];
}

/** A row that is kept; a later one may complete it. */
type Kept = { -readonly [K in keyof SourceVoucher]: SourceVoucher[K] } & { readonly site: PlannedSite };

/** Decides which rows are vouchers of their own, in the order of their ids. */
export const planVouchers = (
  vouchers: readonly SourceVoucher[],
  { sites, siteIdsBySource, users }: VoucherContext,
  { notes }: Findings,
): PlannedVoucher[] => {
  const sitesById = new Map(sites.map((site) => [site.id, site]));
  const names = new Map(users.map(({ sourceId, name }) => [sourceId, name]));
  const placed = vouchers.flatMap((voucher): Kept[] => {
    const site = sitesById.get(siteIdsBySource.get(voucher.siteId) ?? 0);
    return site && voucher.code !== '' ? [{ ...voucher, siteId: site.id, site }] : [];
  });
  const kept = withoutDoubles(placed);
  const [lost, doubles] = [vouchers.length - placed.length, placed.length - kept.length];
  if (lost > 0)
    notes.push(`vouchers without a code, or of sites that are not moved: ${String(lost)} are left out`);
  if (doubles > 0)
    notes.push(
      `rows of vouchers that are in the tool's table more than once: ${String(doubles)} are left out, and each voucher is recorded once`,
    );
  if (kept.length > 0)
    notes.push(
      "speed and data limits of vouchers are not in the tool's database: they are recorded as not known",
    );
  return kept
    .sort((a, b) => a.id - b.id)
    .map(({ userId, isFound: _, ...voucher }) => ({
      ...voucher,
      ...stateOf(voucher),
      userName: userId === null ? null : (names.get(userId) ?? null),
    }));
};

/**
 * Ordered rows count before those that the tool has found
 * on the controller, and older ones before newer ones.
 */
const withoutDoubles = (placed: readonly Kept[]): Kept[] => {
  const byControllerId = new Map<string, Kept>();
  const byCode = new Map<string, Kept>();
  const kept: Kept[] = [];
  for (const voucher of [...placed].sort((a, b) => Number(a.isFound) - Number(b.isFound) || a.id - b.id)) {
    const { site, code, controllerVoucherId } = voucher;
    const codeKey = `${String(site.id)} ${code}`;
    const idKey = JSON.stringify([site.controller.name, controllerVoucherId]);
    const sameCode = byCode.get(codeKey);
    if (controllerVoucherId === null ? sameCode : byControllerId.has(idKey)) continue;
    if (sameCode?.controllerVoucherId === null) {
      // An order whose id the tool did not learn, found again by its sync.
      const { usedCount, status, expiresAt } = voucher;
      Object.assign(sameCode, { controllerVoucherId, usedCount, status, expiresAt });
      byControllerId.set(idKey, sameCode);
      continue;
    }
    if (controllerVoucherId !== null) byControllerId.set(idKey, voucher);
    if (!sameCode) byCode.set(codeKey, voucher);
    kept.push(voucher);
  }
  return kept;
};

/**
 * The tool counts the time of a voucher from its creation, controllers from its first use.
 * So nothing is known of one that was never used; where there is a sync, it settles that.
 */
const stateOf = (
  voucher: Pick<Kept, 'usedCount' | 'controllerVoucherId' | 'site' | 'status' | 'expiresAt'>,
): Pick<PlannedVoucher, 'status' | 'expiresAt'> => {
  const { usedCount, controllerVoucherId, site, status, expiresAt } = voucher;
  if (usedCount > 0) return { status, expiresAt };
  if (controllerVoucherId !== null && site.active) return { status: 'valid', expiresAt: null };
  return { status, expiresAt: status === 'expired' ? expiresAt : null };
};
