import type { Schemas } from '../../api/schemas.ts';

export type OrderLimit = Schemas['OrderLimit'];
type NewOrderLimit = Schemas['NewOrderLimit'];

/** In the order in which they are offered. */
export const limitedRoles = [
  'staff',
  'kiosk',
  'guest',
  'admin',
] as const satisfies readonly OrderLimit['role'][];

/** Guests take one voucher of a profile themselves there. */
export const isSelfService = (role: OrderLimit['role']): boolean => role === 'kiosk' || role === 'guest';

/** A rule as its form holds it: an empty field is no limit. */
export interface LimitValues {
  role: OrderLimit['role'];
  /** Empty for all sites. */
  siteId: string;
  allowsCustom: boolean;
  /** 0 is no limit. */
  maxExpireMinutes: number;
  maxUses: number | string;
  maxCount: number | string;
  maxPerDay: number | string;
  requiresName: boolean;
}

export const toLimitValues = (limit: OrderLimit | undefined): LimitValues => ({
  role: limit?.role ?? 'staff',
  siteId: String(limit?.siteId ?? ''),
  allowsCustom: limit?.allowsCustom ?? true,
  maxExpireMinutes: limit?.maxExpireMinutes ?? 0,
  maxUses: limit?.maxUses ?? '',
  maxCount: limit?.maxCount ?? '',
  maxPerDay: limit?.maxPerDay ?? '',
  requiresName: limit?.requiresName ?? false,
});

const toNumber = (typed: number | string): number | null => (typed === '' ? null : Number(typed));

/** Kiosks and guest pages give one voucher of a profile, and say themselves whether they ask for a name. */
export const fromLimitValues = (values: LimitValues): NewOrderLimit => {
  const { role, siteId, allowsCustom, maxExpireMinutes, maxUses, maxCount, maxPerDay, requiresName } = values;
  const isGuests = isSelfService(role);
  return {
    role,
    siteId: siteId === '' ? null : Number(siteId),
    allowsCustom: isGuests || allowsCustom,
    maxExpireMinutes: maxExpireMinutes === 0 ? null : maxExpireMinutes,
    maxUses: toNumber(maxUses),
    maxCount: isGuests ? null : toNumber(maxCount),
    maxPerDay: toNumber(maxPerDay),
    requiresName: !isGuests && requiresName,
  };
};
