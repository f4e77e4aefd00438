/** What a voucher allows. */
export interface VoucherLimits {
  readonly maxUses: number;
  readonly expireMinutes: number;
  /** In kbit/s, as is `up`; 0 is no limit. */
  readonly down: number;
  readonly up: number;
  /** 0 is no limit. */
  readonly quotaMb: number;
}

/** The limits alone, of an object that has more. */
export const pickLimits = ({ maxUses, expireMinutes, down, up, quotaMb }: VoucherLimits): VoucherLimits => ({
  maxUses,
  expireMinutes,
  down,
  up,
  quotaMb,
});

export const hasSameLimits = (one: VoucherLimits, other: VoucherLimits): boolean =>
  one.maxUses === other.maxUses &&
  one.expireMinutes === other.expireMinutes &&
  one.down === other.down &&
  one.up === other.up &&
  one.quotaMb === other.quotaMb;
