import { boundedTime } from '../../time.js';
import { fieldsOf, numberOf, textOf, type Fields } from '../connection/reading.js';
import type { ControllerVoucher } from '../controller.js';

/** A voucher as UniFi Network tells of it, in our words. Its times are seconds, and 0 uses are unlimited ones. */
export const toVoucher = (row: unknown, now: number): ControllerVoucher => {
  const fields = fieldsOf(row);
  const end = numberOf(fields['end_time']);
  return {
    id: textOf(fields['_id']) ?? null,
    code: codeOf(fields['code']),
    name: textOf(fields['note']) ?? '',
    maxUses: numberOf(fields['quota']) ?? 0,
    expireMinutes: numberOf(fields['duration']) ?? 0,
    down: numberOf(fields['qos_rate_max_down']) ?? 0,
    up: numberOf(fields['qos_rate_max_up']) ?? 0,
    quotaMb: numberOf(fields['qos_usage_quota']) ?? 0,
    usedCount: numberOf(fields['used']) ?? 0,
    createdAt: boundedTime((numberOf(fields['create_time']) ?? 0) * 1000),
    expiresAt: end === undefined ? null : boundedTime(end * 1000),
    expired: isExpired(fields, end, now),
  };
};

const codeOf = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value).padStart(10, '0');
  const code = textOf(value)?.replaceAll('-', '');
  return code === '' ? undefined : code;
};

/** The controller's own word counts before our clock, which may be another. */
const isExpired = (fields: Fields, end: number | undefined, now: number): boolean => {
  if (/EXPIRED/.test(textOf(fields['status']) ?? '')) return true;
  if (end === undefined) return false;
  const left = numberOf(fields['status_expires']);
  return left === undefined ? end * 1000 <= now : left <= 0;
};
