import { ControllerError, type VoucherOrder } from '../controller.js';

interface Bound {
  /** As the client knows it. */
  readonly field: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** What the Integration API takes. Zero, where it is no limit, is not sent. */
const boundsOf = (order: VoucherOrder, count: number): readonly Bound[] => [
  { field: 'count', value: count, from: 1, to: 1000 },
  { field: 'expire_minutes', value: order.expireMinutes, from: 1, to: 1_000_000 },
  ...[
    { field: 'qos.down', value: order.down, from: 2, to: 100_000 },
    { field: 'qos.up', value: order.up, from: 2, to: 100_000 },
    { field: 'qos.quota_mb', value: order.quotaMb, from: 1, to: 1_048_576 },
  ].filter(({ value }) => value !== 0),
];

/** Throws when the controller would refuse a value: it would not say which one, and what it takes instead. */
export const checkBounds = (name: string, order: VoucherOrder, count: number): void => {
  const wrong = boundsOf(order, count).find(({ value, from, to }) => value < from || value > to);
  if (!wrong) return;
  throw new ControllerError(name, { trouble: 'bounds', reason: 'value', ...wrong });
};
