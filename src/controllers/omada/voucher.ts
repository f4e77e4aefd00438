import { clampTime } from '../../lib/system.js';
import type { ControllerVoucher, VoucherOrder } from '../controller.js';
import type { KeptLimits } from '../keptLimits.js';
import { cutToLength, toOrderLabel } from '../orderParts.js';
import { asFields, asNumber, asText, parseVoucherCode, parseId, type Fields } from '../parsing.js';
import type { VoucherLimits } from '../voucherLimits.js';

/** The most vouchers of one group. */
export const maxVouchersPerGroup = 5000;

const maxNameLength = 32;
const codeLength = 10;
/** How long a description may be is not documented. */
const maxDescriptionLength = 512;

/** The values that the Open API takes. 0 is never one of them: limits that are 0 are not sent. */
export const keptLimits: KeptLimits = {
  time: { from: 1, to: 14_400_000, counts: 'first-use' },
  uses: { from: 1, to: 999, counts: 'devices' },
  rates: { from: 1, to: 10_485_760 },
  volume: { from: 1, to: 10_485_760 },
};

/**
 * An order as the voucher group that is to be created. Its name is short and unique,
 * so the description has the whole one.
 */
export const toGroupOrder = (order: VoucherOrder, count: number) => ({
  name: toOrderLabel(order, maxNameLength),
  description: cutToLength(order.name, maxDescriptionLength),
  amount: count,
  codeLength,
  /** Digits only. */
  codeForm: [0],
  ...(order.maxUses > 0 ? { limitType: 0, limitNum: order.maxUses } : { limitType: 2 }),
  /** All guests of a voucher share its time, which runs from the first use on, online or not. */
  durationType: 1,
  duration: order.expireMinutes,
  timingType: 0,
  rateLimit: {
    mode: 0,
    customRateLimit: {
      downLimitEnable: order.down > 0,
      ...(order.down > 0 && { downLimit: order.down }),
      upLimitEnable: order.up > 0,
      ...(order.up > 0 && { upLimit: order.up }),
    },
  },
  trafficLimitEnable: order.quotaMb > 0,
  ...(order.quotaMb > 0 && { trafficLimit: order.quotaMb, trafficLimitFrequency: 0 }),
  applyToAllPortals: true,
  validityType: 0,
});

/** What a group says of all of its vouchers. */
export interface GroupValues extends VoucherLimits {
  readonly name: string;
  readonly createdAt: number | null;
}

/** The values of a group; numbers that are missing are 0. */
export const parseGroupValues = (fields: Fields): GroupValues => {
  const { mode, customRateLimit } = asFields(fields['rateLimit']);
  const rates = asNumber(mode) === 0 ? asFields(customRateLimit) : {};
  const description = asText(fields['description']) ?? '';
  const createdAt = asNumber(fields['createdTime']);
  return {
    name: description === '' ? (asText(fields['name']) ?? '') : description,
    createdAt: createdAt === undefined ? null : clampTime(createdAt),
    maxUses: asNumber(fields['limitType']) === 0 ? asCount(fields['limitNum']) : 0,
    expireMinutes: asCount(fields['duration']),
    down: rates['downLimitEnable'] === true ? asCount(rates['downLimit']) : 0,
    up: rates['upLimitEnable'] === true ? asCount(rates['upLimit']) : 0,
    quotaMb: fields['trafficLimitEnable'] === true ? asCount(fields['trafficLimit']) : 0,
  };
};

/** In whole, and never less than 0: anything else is no limit. */
const asCount = (value: unknown): number => Math.max(0, Math.trunc(asNumber(value) ?? 0));

type VoucherStatus = 'unused' | 'in-use' | 'expired';

/** A voucher as the list of its group shows it. How often it was used is shown only by itself. */
export interface ListedVoucher {
  readonly id: string;
  readonly code: string | undefined;
  readonly status: VoucherStatus;
  /** How long it is valid from now on. */
  readonly leftMs: number | undefined;
}

/** Undefined for anything without an id. */
export const parseListedVoucher = (fields: Fields): ListedVoucher | undefined => {
  const id = parseId(fields['id']);
  if (id === undefined) return undefined;
  const left = asNumber(fields['timeLeftSec']);
  const status = asNumber(fields['status']);
  return {
    id,
    code: parseVoucherCode(fields['code']),
    status: status === 2 ? 'expired' : status === 1 ? 'in-use' : 'unused',
    leftMs: left === undefined || left < 0 ? undefined : left * 1000,
  };
};

interface VoucherUse {
  readonly usedCount: number;
  readonly expiresAt: number | null;
}

export const toControllerVoucher = (
  group: GroupValues,
  { id, code, status }: ListedVoucher,
  use: VoucherUse,
): ControllerVoucher => ({ ...group, id, code, ...use, expired: status === 'expired' });
