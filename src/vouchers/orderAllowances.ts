import type { User } from '../users/users.js';
import type { System } from '../lib/system.js';
import {
  allowsLimits,
  findOrderLimit,
  scopeOf,
  startOfDay,
  type OrderLimit,
} from '../orderLimits/orderLimits.js';
import { countInScope } from './dailyLimitTable.js';
import type { VoucherTables } from './voucherTables.js';

/** What somebody may order at a site. Null is no limit. */
export interface OrderAllowance extends Pick<
  OrderLimit,
  'allowsCustom' | 'maxExpireMinutes' | 'maxUses' | 'maxCount' | 'maxPerDay' | 'requiresName'
> {
  /** How many vouchers are left for today. */
  readonly leftToday: number | null;
}

/** Where no rule applies. */
export const unlimitedAllowance: OrderAllowance = {
  allowsCustom: true,
  maxExpireMinutes: null,
  maxUses: null,
  maxCount: null,
  maxPerDay: null,
  requiresName: false,
  leftToday: null,
};

/** Whether somebody may order a profile. */
export const allowsProfile = (
  allowance: OrderAllowance,
  profile: Parameters<typeof allowsLimits>[1],
): boolean => allowsLimits(allowance, profile);

/**
 * Tells what a user may order, for each of some sites. The service checks the same when something is ordered.
 */
export type FindAllowances = (
  user: Pick<User, 'id' | 'role'>,
  siteIds: readonly number[],
) => Promise<ReadonlyMap<number, OrderAllowance>>;

export const makeFindAllowances =
  (
    { orderLimits, orders }: Pick<VoucherTables, 'orderLimits' | 'orders'>,
    system: Pick<System, 'now'>,
  ): FindAllowances =>
  async ({ id, role }, siteIds) => {
    const rules = await orderLimits.all();
    const isCounted = rules.some((rule) => rule.role === role && rule.maxPerDay !== null);
    const ordered = isCounted
      ? await orders.orderedSince({ userId: id, kioskId: null }, startOfDay(system.now()))
      : new Map<number, number>();
    return new Map(
      siteIds.map((siteId): [number, OrderAllowance] => {
        const rule = findOrderLimit(rules, role, siteId);
        if (!rule) return [siteId, unlimitedAllowance];
        const { id: _id, role: _role, siteId: _site, ...limits } = rule;
        const { maxPerDay } = limits;
        const leftToday =
          maxPerDay === null ? null : Math.max(0, maxPerDay - countInScope(scopeOf(rule, rules), ordered));
        return [siteId, { ...limits, leftToday }];
      }),
    );
  };
