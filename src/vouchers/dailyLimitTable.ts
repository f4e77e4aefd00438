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
 * Stores orders whose id is free and which the day still allows. Orders that count against the same rule come
 * one after the other, in all processes, so that together they never exceed it. All who order by a rule wait
 * for its row, so it is locked for a few statements, however many orders there are.
 */
export const insertCountedOrders = async (
  transaction: Knex,
  orders: readonly CountedOrder[],
): Promise<InsertedOrders> => {
  const counted = orders.flatMap(({ allowance }) => allowance ?? []);
  const limits = await lockDailyLimits(
    transaction,
    counted.map(({ scope }) => scope.ruleId),
  );
  const overruns = new Map<PlacedOrder, DailyOverrun>();
  if (counted.length > 0) {
    const placed = await findPlaced(transaction, orders);
    const countsSince = new Map<number, ReturnType<typeof countOrdered>>();
    for (const order of orders) {
      if (!order.allowance || placed.has(order.id)) continue;
      const { scope, since } = order.allowance;
      const most = limits.get(scope.ruleId) ?? null;
      if (most === null) continue;
      const counts = countsSince.get(since) ?? countOrdered(transaction, orders, since);
      countsSince.set(since, counts);
      const ordered = (await counts).of(order);
      const left = Math.max(0, most - countInScope(scope, ordered));
      if (order.count > left) overruns.set(order, { most, left });
      else {
        placed.add(order.id);
        ordered.set(order.siteId, (ordered.get(order.siteId) ?? 0) + order.count);
      }
    }
  }
  const stored = await insertOrders(
    transaction,
    orders.filter((order) => !overruns.has(order)),
  );
  return { stored, overruns };
};

const findPlaced = async (transaction: Knex, orders: readonly PlacedOrder[]): Promise<Set<string>> => {
  const ids = orders.map(({ id }) => id);
  return new Set(await transaction('orders').whereIn('id', ids).pluck<string[]>('id'));
};
