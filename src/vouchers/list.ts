import type { components } from '../../generated/openapi.js';
import { makeCachedBody, type CachedBody } from '../lib/cachedBody.js';
import { clampTime, type System } from '../lib/system.js';
import { makeRevisionCache } from '../storage/revisions.js';
import type { Storage } from '../storage/storage.js';
import type { Voucher, VoucherStatus } from '../storage/vouchers.js';

type VoucherList = components['schemas']['VoucherList'];

/** The list of a site, newest first, as ready bytes. */
export type ListVouchers = (siteId: number) => Promise<CachedBody<VoucherList>>;

const maxVouchers = 200;
const maxBytes = 64 * 1024 * 1024;
/** What the id of a site can be in every database. */
const maxSiteId = 2_147_483_647;

const emptyList = makeCachedBody<VoucherList>({ vouchers: [] });

/** Lists are worked out when a voucher of the site has changed, or when one of them expires. */
export const makeListVouchers = ({ vouchers, revisions }: Storage, system: System): ListVouchers => {
  const current = makeRevisionCache<{ list: CachedBody<VoucherList>; until: number }>({
    revisions,
    maxSize: maxBytes,
    // An entry itself weighs something too: a client may ask for any number of sites that do not exist.
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
  return async (siteId) => (siteId > maxSiteId ? emptyList : (await current(`site:${siteId}`)).list);
};

/** The one place that turns a recorded voucher into what a client reads. */
const toListEntry = (voucher: Voucher, now: number): VoucherList['vouchers'][number] => ({
  voucher_code: voucher.code,
  voucher_name: voucher.name,
  max_uses: voucher.maxUses,
  expire_minutes: voucher.expireMinutes,
  status: statusAt(voucher, now),
  used_count: voucher.usedCount,
  created_at: toTimestamp(voucher.createdAt),
  expires_at: voucher.expiresAt === null ? null : toTimestamp(voucher.expiresAt),
});

/** Bounded here, too: an older version may have recorded whatever a controller said. */
const toTimestamp = (ms: number): string => new Date(clampTime(ms)).toISOString();

/** What a voucher is at a time: one whose expiry has passed has expired before the sync writes it. */
export const statusAt = (
  { status, expiresAt }: Pick<Voucher, 'status' | 'expiresAt'>,
  now: number,
): VoucherStatus => (expiresAt !== null && expiresAt <= now ? 'expired' : status);
