import type { components } from '../../generated/openapi.js';
import { andThen, type Awaitable } from '../lib/awaitable.js';
import { makeCachedBody, type CachedBody } from '../lib/cachedBody.js';
import { clampTime, type System } from '../lib/system.js';
import { makeRevisionCache } from '../database/revisions.js';
import type { VoucherTables } from './voucherTables.js';
import { recordedStateAt } from './state.js';
import type { Voucher } from './voucherTable.js';

type VoucherList = components['schemas']['VoucherList'];

/** Returns the list of a site, newest first, as a cached body. */
export type ListVouchers = (siteId: number) => Awaitable<CachedBody<VoucherList>>;

const maxVouchers = 200;
const maxBytes = 64 * 1024 * 1024;
/** The largest site id that every database can store. */
const maxSiteId = 2_147_483_647;

const emptyList = makeCachedBody<VoucherList>({ vouchers: [] });

/**
 * Makes the cached list. It is used until the first of its vouchers expires (`until`) or a voucher of the
 * site changes: every such change raises the revision of the site,
 * and `makeRevisionCache` compares it at each call.
 */
export const makeListVouchers = (
  { vouchers, revisions }: Pick<VoucherTables, 'vouchers' | 'revisions'>,
  system: System,
): ListVouchers => {
  const current = makeRevisionCache<{ list: CachedBody<VoucherList>; until: number }>({
    revisions,
    maxSize: maxBytes,
    // The entry itself counts, too: a client may ask for any number of sites that do not exist.
    sizeOf: ({ list }) => list.bytes.length + 2048,
    isExpired: ({ until }) => until <= system.now(),
    load: async (name) => {
      const now = system.now();
      const newest = await vouchers.newest(Number(name.slice('site:'.length)), maxVouchers);
      const list = makeCachedBody({ vouchers: newest.map((voucher) => toListEntry(voucher, now)) });
      const expiries = newest.flatMap(({ expiresAt }) =>
        expiresAt !== null && expiresAt > now ? [expiresAt] : [],
      );
      return { list, until: Math.min(Infinity, ...expiries) };
    },
  });
  return (siteId) =>
    siteId > maxSiteId ? emptyList : andThen(current(`site:${siteId}`), ({ list }) => list);
};

/** A recorded voucher as clients see it. */
const toListEntry = (voucher: Voucher, now: number): VoucherList['vouchers'][number] => ({
  voucher_code: voucher.code,
  voucher_name: voucher.name,
  max_uses: voucher.maxUses,
  expire_minutes: voucher.expireMinutes,
  status: recordedStateAt(voucher, now),
  used_count: voucher.usedCount,
  created_at: toTimestamp(voucher.createdAt),
  expires_at: voucher.expiresAt === null ? null : toTimestamp(voucher.expiresAt),
});

/** Clamped: a time that can't be written must not keep the others from being listed. */
const toTimestamp = (ms: number): string => new Date(clampTime(ms)).toISOString();
