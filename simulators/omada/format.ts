import { isJsonObject, jsonReply, type ConsoleReply, type ConsoleRequest } from '../unifi/router.js';
import type { GroupOrder, OmadaGroup, OmadaVoucher } from './store.js';

/** A refusal: status 200, and a code. */
export class OmadaError extends Error {
  constructor(
    readonly errorCode: number,
    message: string,
  ) {
    super(message);
  }
}

export const okReply = (result?: unknown): ConsoleReply =>
  jsonReply(200, { errorCode: 0, msg: 'Success.', ...(result !== undefined && { result }) });

export const errorReply = ({ errorCode, message }: OmadaError): ConsoleReply => ({
  ...jsonReply(200, { errorCode, msg: message }),
  refused: true,
});

/** The framework of the controller answers itself when a parameter is missing. */
const missingParameter = ({ path }: ConsoleRequest, now: number): ConsoleReply =>
  jsonReply(400, { timestamp: new Date(now).toISOString(), status: 400, error: 'Bad Request', path });

const invalid = (message: string): OmadaError =>
  new OmadaError(-1001, `Invalid request parameters: ${message}`);

const wholeNumber = (value: unknown, from: number, to: number): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to ? value : undefined;

/** One page; `page` and `pageSize` have to be given. */
export const omadaPage = (
  call: ConsoleRequest,
  now: number,
  items: readonly unknown[],
  others: Readonly<Record<string, unknown>> = {},
): ConsoleReply => {
  const [page, size] = ['page', 'pageSize'].map((name) => call.query.get(name));
  if (page == null || size == null) return missingParameter(call, now);
  const currentPage = wholeNumber(Number(page), 1, 2 ** 31 - 1);
  const currentSize = wholeNumber(Number(size), 1, 1000);
  if (currentPage === undefined) throw invalid('page');
  if (currentSize === undefined) throw invalid('pageSize');
  const start = (currentPage - 1) * currentSize;
  const data = items.slice(start, start + currentSize);
  return okReply({ ...others, totalRows: items.length, currentPage, currentSize, data });
};

/** The values of an order for a voucher group, checked as the controller does. */
export const readGroupOrder = (body: unknown): GroupOrder => {
  if (!isJsonObject(body)) throw invalid('body');
  const number = (name: string, from: number, to: number, fields = body): number => {
    const value = wholeNumber(fields[name], from, to);
    if (value === undefined) throw invalid(name);
    return value;
  };
  const { name, codeForm, rateLimit } = body;
  if (typeof name !== 'string' || name.length < 1 || name.length > 32) throw invalid('name');
  const limitType = number('limitType', 0, 2);
  const limitNum = limitType === 2 ? 0 : number('limitNum', 1, 999);
  number('durationType', 0, 1);
  number('timingType', 0, 1);
  if (!isJsonObject(rateLimit) || number('mode', 0, 1, rateLimit) !== 0) throw rateProfileMissing();
  const custom = rateLimit['customRateLimit'];
  if (!isJsonObject(custom)) throw invalid('customRateLimit');
  const rate = (direction: 'down' | 'up'): number => {
    const isEnabled = custom[`${direction}LimitEnable`];
    if (typeof isEnabled !== 'boolean') throw invalid(`${direction}LimitEnable`);
    return isEnabled ? number(`${direction}Limit`, 0, 10_485_760, custom) : 0;
  };
  if (typeof body['trafficLimitEnable'] !== 'boolean') throw invalid('trafficLimitEnable');
  if (body['applyToAllPortals'] !== true) throw new OmadaError(-42_036, 'Please select at least one portal.');
  return {
    name,
    amount: number('amount', 1, 5000),
    limit: limitType === 0 ? limitNum : 0,
    minutes: number('duration', 1, 14_400_000),
    down: rate('down'),
    up: rate('up'),
    quotaMb: body['trafficLimitEnable'] ? number('trafficLimit', 1, 10_485_760) : 0,
    codeLength: number('codeLength', 6, 10),
    characters: charactersOf(codeForm),
  };
};

const rateProfileMissing = (): OmadaError =>
  new OmadaError(-33_732, 'This rate limit profile does not exist.');

const charactersOf = (form: unknown): string => {
  const kinds: readonly unknown[] = Array.isArray(form) ? form : [];
  if (kinds.length === 0 || kinds.some((kind) => kind !== 0 && kind !== 1)) throw invalid('codeForm');
  return `${kinds.includes(0) ? '0123456789' : ''}${kinds.includes(1) ? 'abcdefghijklmnopqrstuvwxyz' : ''}`;
};

/** 0 unused, 1 in use, 2 expired. */
const statusOf = ({ used, expiresAt }: OmadaVoucher, now: number): 0 | 1 | 2 => {
  if (expiresAt !== undefined && expiresAt <= now) return 2;
  return used > 0 ? 1 : 0;
};

/** A group in the list of groups. */
export const groupSummary = ({ id, name, order, createdAt, vouchers }: OmadaGroup, now: number) => {
  const statuses = [...vouchers].map((voucher) => statusOf(voucher, now));
  const count = (...wanted: readonly number[]): number =>
    statuses.filter((status) => wanted.includes(status)).length;
  const { duration, durationType, limitType, limitNum } = order;
  return {
    id,
    name,
    createdTime: createdAt,
    creatorName: 'Open API',
    duration,
    durationType,
    limitType,
    ...(limitNum !== undefined && { limitNum }),
    totalCount: statuses.length,
    unusedCount: count(0),
    usedCount: count(1, 2),
    inUseCount: count(1),
    expiredCount: count(2),
  };
};

/** A group as it shows itself, but for its vouchers. */
export const groupDetail = ({ id, name, order, createdAt }: OmadaGroup) => {
  const { amount: _, ...values } = order;
  return { ...values, id, name, createdTime: createdAt };
};

/** A voucher in the list of its group. */
export const listedVoucher = (voucher: OmadaVoucher, now: number) => {
  const { id, code, minutes, down, up, quotaMb, activatedAt, expiresAt } = voucher;
  const total = minutes * 60;
  const left = expiresAt === undefined ? total : Math.max(0, Math.floor((expiresAt - now) / 1000));
  return {
    id,
    code,
    status: statusOf(voucher, now),
    ...(activatedAt !== undefined && { startTime: activatedAt }),
    timeUsedSec: total - left,
    timeLeftSec: left,
    trafficUsed: 0,
    ...(quotaMb > 0 && { trafficLimit: quotaMb, trafficUnused: quotaMb * 1_000_000 }),
    ...(down > 0 && { downLimit: down }),
    ...(up > 0 && { upLimit: up }),
    timingByClientUsage: false,
  };
};

/** A voucher as it shows itself. */
export const voucherDetail = (voucher: OmadaVoucher, now: number) => ({
  ...listedVoucher(voucher, now),
  used: voucher.used,
  valid: statusOf(voucher, now) !== 2,
});
