import { jsonReply, type ConsoleReply } from './router.js';
import { isVersionAtLeast, type ConsoleSettings } from './settings.js';
import type { SimulatedOrder, SimulatedSite, SimulatedVoucher } from './voucherStore.js';

/** A successful reply of the classic API. */
export const classicOk = (
  data: readonly unknown[],
  headers: Readonly<Record<string, string | string[]>> = {},
): ConsoleReply => jsonReply(200, { meta: { rc: 'ok' }, data }, headers);

/** A failure of the classic API, which can have status 200. */
export const classicError = (status: number, msg: string): ConsoleReply => ({
  ...jsonReply(status, { meta: { rc: 'error', msg }, data: [] }),
  refused: true,
});

/** A successful reply with any number of items. */
export const classicStream = <T>(items: readonly T[], show: (item: T) => unknown): ConsoleReply => ({
  ...classicOk([]),
  body: parts(items, show),
});

const perPart = 500;

/** As one text it would be about 19 MB for 50,000 vouchers. */
function* parts<T>(items: readonly T[], show: (item: T) => unknown): Generator<string> {
  yield '{"meta":{"rc":"ok"},"data":[';
  for (let at = 0; at < items.length; at += perPart) {
    const part = items.slice(at, at + perPart).map((item) => JSON.stringify(show(item)));
    yield (at === 0 ? '' : ',') + part.join(',');
  }
  yield ']}';
}

/** More than any client orders at once. */
const most = 10_000;

const whole = (value: unknown, least: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least;

/** The order of create-voucher; undefined if an argument is invalid. */
export const readClassicOrder = (
  body: Readonly<Record<string, unknown>>,
): { readonly count: number; readonly order: SimulatedOrder } | undefined => {
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

/** Either `expire`, or a number and the minutes of its unit. */
const readMinutes = (body: Readonly<Record<string, unknown>>): number | undefined => {
  const { expire, expire_number: number, expire_unit: unit } = body;
  if (number !== undefined || unit !== undefined) {
    return whole(number, 1) && whole(unit, 1) ? number * unit : undefined;
  }
  return whole(expire, 1) ? expire : undefined;
};

/** 0 if it is missing; undefined if it is invalid. */
const readLimit = (value: unknown): number | undefined => {
  if (value === undefined) return 0;
  return whole(value, 1) ? value : undefined;
};

const seconds = (ms: number): number => Math.floor(ms / 1000);

/** A voucher in the format of the classic API. */
export const classicVoucher = (
  voucher: SimulatedVoucher,
  site: SimulatedSite,
  settings: ConsoleSettings,
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
    ...(isVersionAtLeast(settings.version, '9.1.120') && { external_id: voucher.id }),
  };
};

const statusOf = ({ limit, used, expiresAt }: SimulatedVoucher, now: number): string => {
  if (used === 0) return limit === 1 ? 'VALID_ONE' : 'VALID_MULTI';
  if (expiresAt !== undefined && expiresAt <= now) return 'EXPIRED';
  return limit === 1 ? 'USED' : 'USED_MULTIPLE';
};
