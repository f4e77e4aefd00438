import { createHash } from 'node:crypto';
import type { Controller, VoucherOrder } from './controller.js';

/** What one call makes of an order. */
export interface OrderPart {
  readonly order: VoucherOrder;
  readonly count: number;
}

/** The calls that an order takes, always the same for the same order. */
export const splitOrder = (
  { maxPerCall = Infinity }: Pick<Controller, 'maxPerCall'>,
  order: VoucherOrder,
  count: number,
): OrderPart[] => {
  if (count <= maxPerCall) return [{ order, count }];
  return Array.from({ length: Math.ceil(count / maxPerCall) }, (_, index) => {
    const start = index * maxPerCall;
    const codes = order.codes?.slice(start, start + maxPerCall);
    const reference = index === 0 ? order.reference : `${order.reference}/${String(index + 1)}`;
    return { order: { ...order, reference, codes }, count: Math.min(maxPerCall, count - start) };
  });
};

/** The reference of the order that a part belongs to. */
export const orderOfPart = (reference: string): string => reference.replace(/\/\d+$/, '');

/** 60 bits: enough to tell the orders of any controller. */
const suffixLength = 12;

/** Letters and digits that only this order has. */
export const toOrderSuffix = ({ reference }: Pick<VoucherOrder, 'reference'>): string =>
  BigInt(`0x${createHash('sha256').update(reference).digest('hex')}`)
    .toString(32)
    .slice(-suffixLength);

/**
 * As much of a text as fits, in whole characters. Controllers
 * may count characters beyond the first 65,536 twice, as we do.
 */
export const cutToLength = (text: string, maxLength: number): string => {
  let shown = '';
  for (const character of text) {
    if (shown.length + character.length > maxLength) break;
    shown += character;
  }
  return shown;
};

/**
 * A name for an order, for controllers whose names are short or must be unique:
 * as much of the order's name as fits, and the order's suffix.
 */
export const toOrderLabel = (order: Pick<VoucherOrder, 'name' | 'reference'>, maxLength: number): string =>
  `${cutToLength(order.name, maxLength - suffixLength - 1).trim()} ${toOrderSuffix(order)}`.trim();
