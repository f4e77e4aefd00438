import { atLeast, type Settings } from './settings.js';
import type { SimulatedSite, SimulatedVoucher } from './vouchers.js';

const seconds = (ms: number): number => Math.floor(ms / 1000);

/** A voucher as the classic API shows it. */
export const classicVoucher = (
  voucher: SimulatedVoucher,
  site: SimulatedSite,
  settings: Settings,
  now: number,
): unknown => {
  const { activatedAt, expiresAt, down, up, quotaMb } = voucher;
  return {
    _id: voucher.objectId,
    site_id: site.objectId,
    create_time: seconds(voucher.createdAt),
    code: voucher.code,
    duration: voucher.minutes,
    quota: voucher.limit,
    used: voucher.used,
    note: voucher.name === '' ? null : voucher.name,
    admin_name: settings.username,
    for_hotspot: false,
    ...(activatedAt !== undefined && { start_time: seconds(activatedAt) }),
    ...(expiresAt !== undefined && { end_time: seconds(expiresAt) }),
    ...((down > 0 || up > 0 || quotaMb > 0) && { qos_overwrite: true }),
    ...(up > 0 && { qos_rate_max_up: up }),
    ...(down > 0 && { qos_rate_max_down: down }),
    ...(quotaMb > 0 && { qos_usage_quota: quotaMb }),
    status: statusOf(voucher, now),
    status_expires: expiresAt !== undefined && expiresAt > now ? seconds(expiresAt - now) : 0,
    ...(atLeast(settings.version, '9.1.120') && { external_id: voucher.id }),
  };
};

const statusOf = ({ limit, used, expiresAt }: SimulatedVoucher, now: number): string => {
  if (used === 0) return limit === 1 ? 'VALID_ONE' : 'VALID_MULTI';
  if (expiresAt !== undefined && expiresAt <= now) return 'EXPIRED';
  return limit === 1 ? 'USED' : 'USED_MULTIPLE';
};
