import { clampTime } from '../../lib/system.js';
import type { ControllerVoucher } from '../controller.js';
import { asFields, asNumber, asText, parseVoucherCode, parseId, type Fields } from '../parsing.js';

/** Parses a voucher of UniFi Network. Its times are in seconds, and 0 uses means unlimited. */
export const parseClassicVoucher = (row: unknown, now: number): ControllerVoucher => {
  const fields = asFields(row);
  const end = asNumber(fields['end_time']);
  return {
    id: parseId(fields['_id']) ?? null,
    code: parseVoucherCode(fields['code'])?.replaceAll('-', '') || undefined,
    name: asText(fields['note']) ?? '',
    maxUses: asNumber(fields['quota']) ?? 0,
    expireMinutes: asNumber(fields['duration']) ?? 0,
    down: asNumber(fields['qos_rate_max_down']) ?? 0,
    up: asNumber(fields['qos_rate_max_up']) ?? 0,
    quotaMb: asNumber(fields['qos_usage_quota']) ?? 0,
    usedCount: asNumber(fields['used']) ?? 0,
    createdAt: clampTime((asNumber(fields['create_time']) ?? 0) * 1000),
    expiresAt: end === undefined ? null : clampTime(end * 1000),
    expired: isExpired(fields, end, now),
  };
};

/** The controller's own status takes precedence over our clock, which may differ. */
const isExpired = (fields: Fields, end: number | undefined, now: number): boolean => {
  if (/EXPIRED/.test(asText(fields['status']) ?? '')) return true;
  if (end === undefined) return false;
  const left = asNumber(fields['status_expires']);
  return left === undefined ? end * 1000 <= now : left <= 0;
};
