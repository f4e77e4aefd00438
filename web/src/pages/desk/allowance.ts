import { boundsOf, type Limits, type Narrowing } from '../../vouchers/limits.ts';
import type { DeskSite } from '../../vouchers/voucher.ts';

type Allowance = Pick<DeskSite, 'allowance'>;

/** The most vouchers that any order has. */
export const maxCount = 500;

/** The most vouchers that the user may order at once: of an order, and of what is left for today. */
export const mostCount = ({ allowance }: Allowance): number =>
  Math.min(maxCount, allowance.maxCount ?? maxCount, allowance.leftToday ?? maxCount);

/** Whether nothing is left for today. */
export const isUsedUp = ({ allowance }: Allowance): boolean => allowance.leftToday === 0;

/** How far the user's own values may go at a site: as the user may, and as its controller can. */
export const narrowingAt = ({
  allowance,
  limitRanges,
}: Pick<DeskSite, 'allowance' | 'limitRanges'>): Narrowing => ({
  most: {
    ...(allowance.maxExpireMinutes !== null && { expireMinutes: allowance.maxExpireMinutes }),
    ...(allowance.maxUses !== null && { maxUses: allowance.maxUses }),
  },
  ranges: limitRanges,
});

/** Values that nobody has typed, as far as they can be ordered. */
export const withinAllowance = (
  limits: Limits,
  site: Pick<DeskSite, 'allowance' | 'limitRanges'>,
): Limits => {
  const within = (name: 'expireMinutes' | 'maxUses'): number => {
    const bounds = boundsOf(name, narrowingAt(site));
    return bounds ? Math.min(Math.max(limits[name], bounds.least), bounds.most) : limits[name];
  };
  return { ...limits, expireMinutes: within('expireMinutes'), maxUses: within('maxUses') };
};
