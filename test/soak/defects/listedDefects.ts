import type { ServiceDefect } from './serviceDefect.js';

/** In what is listed of what was created. */
export const listedDefects: readonly ServiceDefect[] = [
  {
    name: 'created_at is in local time',
    file: 'src/vouchers/list.ts',
    from: 'new Date(clampTime(ms)).toISOString()',
    to: 'new Date(clampTime(ms) - new Date(ms).getTimezoneOffset() * 60_000).toISOString()',
  },
  {
    name: 'created_at is the time of the listing',
    file: 'src/vouchers/list.ts',
    from: 'created_at: toTimestamp(voucher.createdAt)',
    to: 'created_at: toTimestamp(now)',
  },
  {
    name: 'the recorded name is cut at 100 characters',
    file: 'src/vouchers/record.ts',
    from: 'name: intent.names?.[index] ?? intent.name,',
    to: 'name: (intent.names?.[index] ?? intent.name).slice(0, 100),',
  },
  {
    name: 'white space within a listed name is collapsed',
    file: 'src/vouchers/list.ts',
    from: 'voucher_name: voucher.name,',
    to: `voucher_name: voucher.name.replace(/\\s+/g, ' '),`,
  },
  {
    name: 'expire_minutes is recorded as at most one year',
    file: 'src/vouchers/record.ts',
    from: 'expireMinutes: intent.expireMinutes,',
    to: 'expireMinutes: Math.min(intent.expireMinutes, 525_600),',
  },
  {
    name: 'a voucher whose expiry has passed stays valid for a year',
    file: 'src/vouchers/state.ts',
    from: `expiresAt <= now ? 'expired' : status`,
    to: `expiresAt <= now - 31_536_000_000 ? 'expired' : status`,
  },
  {
    name: 'used up vouchers are listed as valid',
    file: 'src/vouchers/list.ts',
    from: 'status: recordedStateAt(voucher, now),',
    to: `status: voucher.status === 'used' ? 'valid' : recordedStateAt(voucher, now),`,
  },
  {
    name: 'expires_at is counted from creation',
    file: 'src/vouchers/list.ts',
    from: 'voucher.expiresAt === null ? null : toTimestamp(voucher.expiresAt)',
    to: 'toTimestamp(voucher.expiresAt ?? voucher.createdAt + voucher.expireMinutes * 60_000)',
  },
  {
    name: 'site ids beyond 32 bits begin again at 0',
    file: 'handlers/listVouchers.ts',
    from: 'input.query.site_id',
    to: 'input.query.site_id % 4_294_967_296',
  },
  {
    name: 'of equal times the first recorded comes first',
    file: 'src/vouchers/voucherTable.ts',
    from: `{ column: 'id', order: 'desc' },`,
    to: `{ column: 'id', order: 'asc' },`,
  },
  {
    name: 'sites are sorted by code units',
    file: 'src/controllers/siteDirectory.ts',
    from: '.sort(compareNames)',
    to: '.sort((a, b) => (compareNames(a, a) || a.name < b.name ? -1 : 1))',
  },
  {
    name: 'numbers in names are sorted digit by digit',
    file: 'src/lib/collections.ts',
    from: `new Intl.Collator('de', { numeric: true })`,
    to: `new Intl.Collator('de')`,
  },
];
