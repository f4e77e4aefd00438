import type { components } from '../../generated/web.js';
import { clampTime } from '../lib/system.js';
import type { VoucherTables } from './voucherTables.js';
import type { StoredVoucher } from './voucherTable.js';
import { stateAt } from './state.js';
import { formatCode } from './record.js';

export type { StoredVoucher };

/** A voucher as the pages see it. */
export type VoucherView = components['schemas']['Voucher'];

/** The names that a voucher's row has only the ids of. */
export interface VoucherNames {
  readonly sites: ReadonlyMap<number, string>;
  readonly profiles: ReadonlyMap<number, string>;
}

/** The names of all sites and profiles; the caller decides who may see them. */
export const readVoucherNames = async ({
  sites,
  profiles,
}: Pick<VoucherTables, 'sites' | 'profiles'>): Promise<VoucherNames> => {
  const namesOf = (all: readonly { readonly id: number; readonly name: string }[]) =>
    new Map(all.map(({ id, name }) => [id, name]));
  return { sites: namesOf(await sites.all()), profiles: namesOf(await profiles.all()) };
};

/** The one place that makes the pages' voucher of a recorded one. */
export const toVoucherView = (voucher: StoredVoucher, names: VoucherNames, now: number): VoucherView => ({
  id: voucher.id,
  code: voucher.code,
  formattedCode: formatCode(voucher.code, voucher.codeBlock),
  name: voucher.name,
  siteId: voucher.siteId,
  siteName: names.sites.get(voucher.siteId) ?? '',
  state: stateAt(voucher, now),
  maxUses: voucher.maxUses,
  usedCount: voucher.usedCount,
  expireMinutes: voucher.expireMinutes,
  down: voucher.down,
  up: voucher.up,
  quotaMb: voucher.quotaMb,
  createdAt: toTimestamp(voucher.createdAt),
  expiresAt: voucher.expiresAt === null ? null : toTimestamp(voucher.expiresAt),
  createdBy: voucher.actorName ?? voucher.source,
  creatorKind: voucher.actorKind,
  profileName: (voucher.profileId !== null && names.profiles.get(voucher.profileId)) || null,
});

const toTimestamp = (ms: number): string => new Date(clampTime(ms)).toISOString();
