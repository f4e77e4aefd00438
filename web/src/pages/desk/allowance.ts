import type { Limits } from '../../vouchers/limits.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';

type Allowance = Pick<DeskSite, 'allowance'>;

/** The most vouchers that any order has. */
export const maxCount = 500;

/** The most vouchers that the user may order at once: of an order, and of what is left for today. */
export const mostCount = ({ allowance }: Allowance): number =>
  Math.min(maxCount, allowance.maxCount ?? maxCount, allowance.leftToday ?? maxCount);

/** Whether nothing is left for today. */
export const isUsedUp = ({ allowance }: Allowance): boolean => allowance.leftToday === 0;

/** How far the user's own values may go; undefined is as far as those of anybody. */
export const mostLimits = ({ allowance }: Allowance): Partial<Limits> => ({
  ...(allowance.maxExpireMinutes !== null && { expireMinutes: allowance.maxExpireMinutes }),
  ...(allowance.maxUses !== null && { maxUses: allowance.maxUses }),
});

/** Values that nobody has typed, no further than allowed. */
export const withinAllowance = (limits: Limits, site: Allowance): Limits => {
  const { expireMinutes = Infinity, maxUses = Infinity } = mostLimits(site);
  return {
    ...limits,
    expireMinutes: Math.min(limits.expireMinutes, expireMinutes),
    maxUses: Math.min(limits.maxUses, maxUses),
  };
};
