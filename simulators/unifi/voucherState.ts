import type { SimulatedVoucher } from './vouchers.js';

/** In words, what a voucher is good for now. */
export type VoucherState = 'unused' | 'in use' | 'used up' | 'expired';

export const voucherState = ({ limit, used, expiresAt }: SimulatedVoucher, now: number): VoucherState => {
  if (expiresAt !== undefined && expiresAt <= now) return 'expired';
  if (used === 0) return 'unused';
  return limit > 0 && used >= limit ? 'used up' : 'in use';
};
