import type { Knex } from 'knex';
import { isInScope, type DailyOverrun, type RuleScope } from '../orderLimits/orderLimits.js';
import { lockDailyLimits } from '../orderLimits/orderLimitTable.js';
import { countOrdered, insertOrders, type PlacedOrder } from './orderTable.js';

/** What an order counts against: a rule with its sites, and since when. */
export interface DailyAllowance {
  readonly scope: RuleScope;
  readonly since: number;
}

/** An order, and what its vouchers count against; null where nothing is limited. */
export interface CountedOrder extends PlacedOrder {
  readonly allowance: DailyAllowance | null;
}

/** How many of those that somebody has ordered count for a rule. */
export const countInScope = (scope: RuleScope, ordered: ReadonlyMap<number, number>): number => {
  let sum = 0;
  for (const [siteId, count] of ordered) if (isInScope(scope, siteId)) sum += count;
  return sum;
};

export interface InsertedOrders {
  /** The ids of those that were stored. Others are there already, or more than allowed. */
  readonly stored: Set<string>;
  readonly overruns: ReadonlyMap<PlacedOrder, DailyOverrun>;
}

/**
 * Stores orders whose id is free and which the day still allows. Orders that count against the same rule come one after
 * the other, in all processes, so that together they never exceed it.
 */
export const insertCountedOrders = async (
  transaction: Knex,
  orders: readonly CountedOrder[],
): Promise<InsertedOrders> => {
  const limits = await lockDailyLimits(
    transaction,
    orders.flatMap(({ allowance }) => allowance?.scope.ruleId ?? []),
  );
  const stored = await insertOrders(
    transaction,
    orders.filter(({ allowance }) => !allowance),
  );
  const overruns = new Map<PlacedOrder, DailyOverrun>();
  for (const order of orders) {
    if (!order.allowance || (await transaction('orders').where({ id: order.id }).first('id'))) continue;
    const { scope, since } = order.allowance;
    const most = limits.get(scope.ruleId) ?? null;
    const ordered = most === null ? new Map() : await countOrdered(transaction, order, since);
    const left = Math.max(0, (most ?? Infinity) - countInScope(scope, ordered));
    if (order.count > left) overruns.set(order, { most: most ?? 0, left });
    else for (const id of await insertOrders(transaction, [order])) stored.add(id);
  }
  return { stored, overruns };
};
