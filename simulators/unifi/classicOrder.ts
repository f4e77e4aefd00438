import type { VoucherOrder } from './vouchers.js';

/** More than any client asks for at once. */
const most = 10_000;

const whole = (value: unknown, least: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least;

/** What create-voucher asks for; undefined when an argument is not what the console takes. */
export const readClassicOrder = (
  body: Readonly<Record<string, unknown>>,
): { readonly count: number; readonly order: VoucherOrder } | undefined => {
  const { n = 1, quota = 1, note = '' } = body;
  const minutes = readMinutes(body);
  const up = readLimit(body['up']);
  const down = readLimit(body['down']);
  const quotaMb = readLimit(body['bytes']);
  if (!whole(n, 1) || n > most || !whole(quota, 0) || typeof note !== 'string') return undefined;
  if (minutes === undefined || up === undefined || down === undefined || quotaMb === undefined)
    return undefined;
  return { count: n, order: { name: note, limit: quota, minutes, up, down, quotaMb } };
};

/** Either `expire`, or a number and how many minutes its unit has. */
const readMinutes = (body: Readonly<Record<string, unknown>>): number | undefined => {
  const { expire, expire_number: number, expire_unit: unit } = body;
  if (number !== undefined || unit !== undefined) {
    return whole(number, 1) && whole(unit, 1) ? number * unit : undefined;
  }
  return whole(expire, 1) ? expire : undefined;
};

/** 0 when there is none; undefined when it can not be one. */
const readLimit = (value: unknown): number | undefined => {
  if (value === undefined) return 0;
  return whole(value, 1) ? value : undefined;
};
