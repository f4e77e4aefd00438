import { ControllerError } from './errors.js';
import type { VoucherLimits } from './voucherLimits.js';

/** The values that a controller takes for a limit, both ends included. */
export interface LimitBounds {
  readonly from: number;
  readonly to: number;
}

/**
 * Which limits a controller keeps; null: not at all. For uses,
 * rates and volume 0 is no limit, which any controller can keep.
 */
export interface KeptLimits {
  /** In minutes, from the first use, from the creation, or of the time that a guest is connected. */
  readonly time: LimitBounds & { readonly counts: 'first-use' | 'creation' | 'connected' };
  /** How many different devices may ever use it, or how many sessions may be open at once. */
  readonly uses: (LimitBounds & { readonly counts: 'devices' | 'sessions' }) | null;
  /** In kbit/s. */
  readonly rates: LimitBounds | null;
  /** In MB, of 1000 × 1000 bytes. */
  readonly volume: LimitBounds | null;
  /** How many vouchers an order may have. Without it, as many as the service takes. */
  readonly maxPerOrder?: number | undefined;
}

/** A limit of an order that can not be kept: not at all, or not with this value. */
export type UnkeptLimit =
  | { readonly reason: 'not-kept'; readonly limit: keyof VoucherLimits }
  | ({ readonly reason: 'value'; readonly limit: keyof VoucherLimits; readonly value: number } & LimitBounds);

const keptBy = {
  expireMinutes: 'time',
  maxUses: 'uses',
  down: 'rates',
  up: 'rates',
  quotaMb: 'volume',
} as const satisfies Record<keyof VoucherLimits, Exclude<keyof KeptLimits, 'maxPerOrder'>>;

/** The range of each limit; null where a controller does not keep it. */
export const limitRangesOf = (
  kept: KeptLimits,
): Readonly<Record<keyof VoucherLimits, LimitBounds | null>> => {
  const rangeOf = (limit: keyof VoucherLimits): LimitBounds | null => {
    const bounds = kept[keptBy[limit]];
    return bounds && { from: bounds.from, to: bounds.to };
  };
  return {
    expireMinutes: rangeOf('expireMinutes'),
    maxUses: rangeOf('maxUses'),
    down: rangeOf('down'),
    up: rangeOf('up'),
    quotaMb: rangeOf('quotaMb'),
  };
};

/** The first limit of an order that a controller can not keep. */
export const findUnkeptLimit = (
  kept: KeptLimits | undefined,
  limits: VoucherLimits,
): UnkeptLimit | undefined => {
  if (!kept) return undefined;
  for (const limit of ['expireMinutes', 'maxUses', 'down', 'up', 'quotaMb'] as const) {
    const value = limits[limit];
    const bounds = kept[keptBy[limit]];
    if (value === 0 && limit !== 'expireMinutes') continue;
    if (!bounds) return { reason: 'not-kept', limit };
    if (value < bounds.from || value > bounds.to)
      return { reason: 'value', limit, value, from: bounds.from, to: bounds.to };
  }
  return undefined;
};

/** As clients of the API know them. */
const fields: Readonly<Record<keyof VoucherLimits, string>> = {
  expireMinutes: 'expire_minutes',
  maxUses: 'max_uses',
  down: 'qos.down',
  up: 'qos.up',
  quotaMb: 'qos.quota_mb',
};

/** Throws `ControllerError` for an order with a limit that the controller can not keep. */
export const assertLimitsKept = (
  { keptLimits }: { readonly keptLimits?: KeptLimits | undefined },
  limits: VoucherLimits,
): void => {
  const unkept = findUnkeptLimit(keptLimits, limits);
  if (!unkept) return;
  const { limit, ...values } = unkept;
  throw new ControllerError(undefined, { kind: 'bounds', ...values, field: fields[limit] });
};
