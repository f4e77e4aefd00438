import { clampTime } from '../../lib/system.js';
import type { ControllerVoucher, VoucherOrder } from '../controller.js';
import { ControllerError } from '../errors.js';
import { asFields, asNumber, asText, parseVoucherCode, parseId } from '../parsing.js';

/** An order for the Integration API; its rx is what the guest receives. Unlimited values are omitted. */
export const toIntegrationOrder = (order: VoucherOrder, count: number) => ({
  count,
  name: order.name,
  timeLimitMinutes: order.expireMinutes,
  ...(order.maxUses > 0 && { authorizedGuestLimit: order.maxUses }),
  ...(order.quotaMb > 0 && { dataUsageLimitMBytes: order.quotaMb }),
  ...(order.down > 0 && { rxRateLimitKbps: order.down }),
  ...(order.up > 0 && { txRateLimitKbps: order.up }),
});

/** Undefined for anything that has neither an id nor a code, which old versions do not list. */
export const parseIntegrationVoucher = (value: unknown): ControllerVoucher | undefined => {
  const fields = asFields(value);
  const id = parseId(fields['id']);
  const code = parseVoucherCode(fields['code']);
  if (id === undefined && code === undefined) return undefined;
  return {
    id: id ?? null,
    code,
    name: asText(fields['name']) ?? '',
    maxUses: asNumber(fields['authorizedGuestLimit']) ?? 0,
    expireMinutes: asNumber(fields['timeLimitMinutes']) ?? 0,
    down: asNumber(fields['rxRateLimitKbps']) ?? 0,
    up: asNumber(fields['txRateLimitKbps']) ?? 0,
    quotaMb: asNumber(fields['dataUsageLimitMBytes']) ?? 0,
    usedCount: asNumber(fields['authorizedGuestCount']) ?? 0,
    createdAt: parseTime(fields['createdAt']) ?? 0,
    expiresAt: parseTime(fields['expiresAt']) ?? null,
    expired: fields['expired'] === true,
  };
};

const parseTime = (value: unknown): number | undefined => {
  const time = Date.parse(asText(value) ?? '');
  return Number.isNaN(time) ? undefined : clampTime(time);
};

interface Bound {
  /** As the client knows it. */
  readonly field: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** The bounds of the Integration API. Zero, where it means no limit, is not sent. */
const boundsOf = (order: VoucherOrder, count: number): readonly Bound[] => [
  { field: 'count', value: count, from: 1, to: 1000 },
  { field: 'expire_minutes', value: order.expireMinutes, from: 1, to: 1_000_000 },
  ...[
    { field: 'qos.down', value: order.down, from: 2, to: 100_000 },
    { field: 'qos.up', value: order.up, from: 2, to: 100_000 },
    { field: 'qos.quota_mb', value: order.quotaMb, from: 1, to: 1_048_576 },
  ].filter(({ value }) => value !== 0),
];

/** Throws for a value that the controller would refuse: it would not say which one, nor what is allowed. */
export const checkBounds = (name: string, order: VoucherOrder, count: number): void => {
  const wrong = boundsOf(order, count).find(({ value, from, to }) => value < from || value > to);
  if (!wrong) return;
  throw new ControllerError(name, { kind: 'bounds', reason: 'value', ...wrong });
};
