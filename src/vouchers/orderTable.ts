import type { Knex } from 'knex';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { countChosenRows, deleteBatch } from '../database/transactions.js';
import type { OrderReason } from './orderReasons.js';

/**
 * Open: the controller has not answered, or the reconciler is
 * finding out what it has created. Made: vouchers were created.
 */
export type OrderState = 'open' | 'made' | 'failed';

/** A desk order. It outlives its intent, which has the same id. */
export interface PlacedOrder {
  readonly id: string;
  /** Whose it is: a user's or a kiosk's. */
  readonly userId: number | null;
  readonly kioskId: number | null;
  readonly siteId: number;
  /** Tells a repeated request from another one with the same id. */
  readonly fingerprint: string;
  /** As it was typed. */
  readonly name: string;
  readonly count: number;
  /** How many vouchers were recorded for it; of an open one, how many are known to exist. */
  readonly made: number;
  readonly state: OrderState;
  /** Why its vouchers were not created, or not all of them. */
  readonly reason: OrderReason | null;
  readonly createdAt: number;
}

const columns = defineColumns<PlacedOrder>({
  id: 'plain',
  userId: 'plain',
  kioskId: 'plain',
  siteId: 'plain',
  fingerprint: 'plain',
  name: 'plain',
  count: 'plain',
  made: 'plain',
  state: 'plain',
  reason: 'json',
  createdAt: 'plain',
});

/** Whose orders are counted: a user's or a kiosk's. */
type Orderer = Pick<PlacedOrder, 'userId' | 'kioskId'>;

export interface OrderTable {
  find(id: string): Promise<PlacedOrder | undefined>;
  /** The latest orders of a user, the newest first. */
  newest(userId: number, limit: number): Promise<PlacedOrder[]>;
  /** How many vouchers a user or a kiosk has ordered since a time, by site. */
  orderedSince(orderer: Orderer, since: number): Promise<ReadonlyMap<number, number>>;
  /** Those placed since a time that got no voucher, with the last of them. */
  failedSince(time: number): Promise<{ readonly count: number; readonly last: PlacedOrder | undefined }>;
  /** Removes a batch of the orders that ended and were placed before a time, and returns how many. */
  removeBefore(at: number, limit?: number): Promise<number>;
  /** How many there are of them, at most `limit`. */
  countBefore(at: number, limit: number): Promise<number>;
}

/** The table of orders placed in the pages. */
export const makeOrderTable = ({ read, write }: Database): OrderTable => ({
  find: async (id) => columns.fromRows(await read('orders').select(columns.aliases).where({ id }))[0],
  newest: async (userId, limit) =>
    columns.fromRows(
      await read('orders')
        .select(columns.aliases)
        .where('user_id', userId)
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit),
    ),
  orderedSince: async (orderer, since) => (await countOrdered(read, [orderer], since)).of(orderer),
  failedSince: async (time) => {
    const failed = () => read('orders').where('created_at', '>=', time).where('state', 'failed');
    const counted = await failed().first<{ count: number } | undefined>(read.raw('count(*) as count'));
    const [last] = columns.fromRows(
      await failed().select(columns.aliases).orderBy('created_at', 'desc').limit(1),
    );
    return { count: counted?.count ?? 0, last };
  },
  removeBefore: (at, limit) =>
    deleteBatch(write, { table: 'orders', key: 'id' }, (rows) => whereEndedBefore(rows, at), limit),
  countBefore: (at, limit) => countChosenRows(read, 'orders', (rows) => whereEndedBefore(rows, at), limit),
});

const whereEndedBefore = (rows: Knex.QueryBuilder, at: number): Knex.QueryBuilder =>
  rows.where('created_at', '<', at).whereNot('state', 'open');

/** How many vouchers each of some orderers has ordered since a time, by site. */
export interface OrderedCounts {
  of(orderer: Orderer): Map<number, number>;
}

/** Vouchers that were not created for certain do not count. */
export const countOrdered = async (
  db: Knex,
  orderers: readonly Orderer[],
  since: number,
): Promise<OrderedCounts> => {
  const counts = new Map<string, Map<number, number>>();
  const of: OrderedCounts['of'] = ({ userId, kioskId }) => {
    const orderer = `${String(userId)} ${String(kioskId)}`;
    const known = counts.get(orderer) ?? new Map<number, number>();
    counts.set(orderer, known);
    return known;
  };
  for (const [name, column] of [
    ['userId', 'user_id'],
    ['kioskId', 'kiosk_id'],
  ] as const) {
    const ids = new Set(orderers.flatMap((orderer) => orderer[name] ?? []));
    if (ids.size === 0) continue;
    const rows = await db('orders')
      .whereIn(column, [...ids])
      .where('created_at', '>=', since)
      .groupBy('user_id', 'kiosk_id', 'site_id')
      .select<(Orderer & { siteId: number; ordered: number | string })[]>(
        { userId: 'user_id', kioskId: 'kiosk_id', siteId: 'site_id' },
        db.raw(`sum(case when state = 'open' then "count" else made end) as ordered`),
      );
    for (const { siteId, ordered, ...orderer } of rows) of(orderer).set(siteId, Number(ordered));
  }
  return { of };
};

/** Stores orders, and returns the ids of those whose id was free. */
export const insertOrders = async (
  transaction: Knex,
  orders: readonly PlacedOrder[],
): Promise<Set<string>> => {
  if (orders.length === 0) return new Set();
  // Always in the same order, so that two transactions with the same ids can't deadlock.
  const rows = await transaction('orders')
    .insert(orders.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(columns.toRow))
    .onConflict('id')
    .ignore()
    .returning<{ id: string }[]>('id');
  return new Set(rows.map(({ id }) => id));
};

/** Stores what became of an open order. */
export const updateOrder = async (
  transaction: Knex,
  id: string,
  values: Partial<Pick<PlacedOrder, 'state' | 'made' | 'reason'>>,
): Promise<void> => {
  await transaction('orders').where({ id, state: 'open' }).update(columns.toRow(values));
};

/** Ends open orders whose intents are given up. */
export const failOrders = async (
  transaction: Knex,
  ids: readonly string[],
  reason: OrderReason | null,
): Promise<void> => {
  const row = columns.toRow({ state: 'failed', made: 0, reason });
  await transaction('orders').whereIn('id', ids).where('state', 'open').update(row);
};
