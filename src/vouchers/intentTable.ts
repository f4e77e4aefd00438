import type { Knex } from 'knex';
import { batchCalls } from '../database/batch.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import {
  claimIdempotencyKeys,
  releaseIdempotencyKeys,
  type IdempotencyClaim,
} from './idempotencyKeyTable.js';
import { dailyLimitRefusal, type DailyOverrun } from '../orderLimits/orderLimits.js';
import { insertCountedOrders, type CountedOrder } from './dailyLimitTable.js';
import { updateOrder, type PlacedOrder, failOrders } from './orderTable.js';
import { raiseRevisions } from '../database/revisions.js';
import { insertRows, inTransaction } from '../database/transactions.js';
import type { OpenOrders } from '../controllers/controllerTable.js';
import type { VoucherLimits } from '../controllers/voucherLimits.js';
import { ordererKinds, originsByKind, toSource, type OrderActor, type OrdererKind } from './origin.js';

/**
 * An order, stored before the controller is asked for its vouchers.
 * One that does not come from the API has a row in `orders` with the same id.
 */
export interface Intent extends OrderActor, VoucherLimits {
  readonly id: string;
  readonly siteId: number;
  /** The voucher's name with the date in front. */
  readonly name: string;
  /** How many vouchers are ordered. */
  readonly count: number;
  /** What each of them is called, with the date in front; null where all are called like the order. */
  readonly names?: readonly string[] | null | undefined;
  readonly profileId: number | null;
  /** The codes that its vouchers shall have, sealed; null where the controller chooses them. */
  readonly sealedCodes?: string | null | undefined;
  readonly createdAt: number;
  /** Present when the order ended without a known outcome. */
  readonly ended?: IntentEnd | undefined;
}

/** How an order ended when it is not known whether a voucher was created. */
export interface IntentEnd {
  readonly at: number;
  /** The controller's clock minus ours, in milliseconds, if it was known then. */
  readonly clock: { readonly atLeast: number; readonly atMost: number } | undefined;
  /** The client got the answer that there is no voucher, so one that exists after all is revoked. */
  readonly isVoid: boolean;
}

/** An intent with its origin and its end in columns. */
interface StoredIntent extends Omit<Intent, 'ended' | 'origin' | 'names' | 'sealedCodes'> {
  readonly sealedCodes: string | null;
  /** As JSON. */
  readonly names: string | null;
  readonly actorKind: OrdererKind;
  readonly source: string;
  /** Does it come from the desk or a kiosk? */
  readonly hasOrder: boolean;
  /** Null until the order has ended. */
  readonly endedAt: number | null;
  readonly clockAtLeast: number | null;
  readonly clockAtMost: number | null;
  readonly isVoid: boolean;
}

const columns = defineColumns<StoredIntent>({
  id: 'plain',
  siteId: 'plain',
  name: 'plain',
  maxUses: 'plain',
  expireMinutes: 'plain',
  down: 'plain',
  up: 'plain',
  quotaMb: 'plain',
  count: 'plain',
  names: 'plain',
  profileId: 'plain',
  sealedCodes: 'plain',
  actorKind: 'plain',
  actorName: 'plain',
  source: 'plain',
  createdAt: 'plain',
  hasOrder: 'boolean',
  endedAt: 'plain',
  clockAtLeast: 'plain',
  clockAtMost: 'plain',
  isVoid: 'boolean',
});

/** What is stored before the controller is asked. */
export interface NewIntent {
  readonly intent: Intent;
  readonly claim?: IdempotencyClaim | undefined;
  /** The desk order that the intent belongs to. */
  readonly order?: CountedOrder | undefined;
}

export interface IntentTable {
  /**
   * Stores an intent. False, with nothing stored, when its idempotency key or the id of its order is taken.
   * Throws the refusal `daily-limit` when the day allows no such order.
   */
  begin(order: NewIntent): Promise<boolean>;
  /** Stores other codes, sealed, when those of an intent are not free. */
  changeCodes(id: string, sealedCodes: string): Promise<void>;
  /** Stores the end of an order with an open outcome. A void order frees its idempotency key. */
  end(id: string, end: IntentEnd): Promise<void>;
  /** The same for a desk order, with what is known of it so far. */
  leaveOrderOpen(id: string, end: IntentEnd, reason: PlacedOrder['reason']): Promise<void>;
  /** Stores how many vouchers of a desk order there are already. */
  noteProgress(id: string, made: number): Promise<void>;
  /** Removes an intent without a voucher and frees its idempotency key. */
  remove(id: string): Promise<void>;
  /** The same for a desk order, which has failed. */
  failOrder(intent: Pick<Intent, 'id' | 'createdAt'>, reason: PlacedOrder['reason']): Promise<void>;
  isOpen(id: string): Promise<boolean>;
  all(): Promise<Intent[]>;
  /** Those whose codes voucherd chose, which are sealed. */
  withSealedCodes(): Promise<{ readonly id: string; readonly name: string; readonly sealedCodes: string }[]>;
  /** The oldest ones. */
  oldest(limit: number): Promise<Intent[]>;
  /** When the oldest one of each controller that has any began. */
  oldestByController(): Promise<Map<number, number>>;
  count(): Promise<number>;
  /** How many began before a time, and when the oldest of them did. */
  overdue(before: number): Promise<{ readonly count: number; readonly oldest: number | null }>;
}

/** The table of open intents. */
export const makeIntentTable = ({ read, write }: Database): IntentTable => ({
  begin: makeBegin(write),
  changeCodes: async (id, sealedCodes) => {
    await write('intents').where({ id }).update(columns.toRow({ sealedCodes }));
  },
  end: (id, end) =>
    inTransaction(write, async (transaction) => {
      if (end.isVoid) await releaseIdempotencyKeys(transaction, [id]);
      await updateEnd(transaction, id, end);
    }),
  leaveOrderOpen: (id, end, reason) =>
    inTransaction(write, async (transaction) => {
      await updateEnd(transaction, id, end);
      await updateOrder(transaction, id, { reason });
      await raiseRevisions(transaction, ['orders']);
    }),
  noteProgress: (id, made) =>
    inTransaction(write, async (transaction) => {
      await updateOrder(transaction, id, { made });
      await raiseRevisions(transaction, ['orders']);
    }),
  remove: batchCalls(async (ids) => {
    await inTransaction(write, async (transaction) => {
      // In the same order as when a voucher is recorded, to avoid deadlocks.
      await releaseIdempotencyKeys(transaction, ids);
      await transaction('intents').whereIn('id', ids).delete();
    });
    return ids.map(() => undefined);
  }),
  failOrder: ({ id, createdAt }, reason) =>
    inTransaction(write, async (transaction) => {
      await transaction('intents').where({ id, created_at: createdAt }).delete();
      // The page may have sent the order again meanwhile, and that attempt goes on.
      if (await transaction('intents').where({ id }).first('id')) return;
      await updateOrder(transaction, id, { state: 'failed', made: 0, reason });
      await raiseRevisions(transaction, ['orders']);
    }),
  isOpen: async (id) => (await read('intents').where({ id }).first('id')) !== undefined,
  all: async () =>
    columns.fromRows(await read('intents').select(columns.aliases).orderBy('created_at')).map(toIntent),
  withSealedCodes: () =>
    read('intents')
      .whereNotNull('sealed_codes')
      .orderBy('created_at')
      .select({ id: 'id', name: 'name', sealedCodes: 'sealed_codes' }),
  oldestByController: async () => {
    const rows = await read('intents')
      .join('sites', 'sites.id', 'intents.site_id')
      .groupBy('sites.controller_id')
      .select<{ controllerId: number; oldest: number }[]>(
        { controllerId: 'sites.controller_id' },
        read.raw('min(intents.created_at) as oldest'),
      );
    return new Map(rows.map(({ controllerId, oldest }) => [controllerId, oldest]));
  },
  oldest: async (limit) =>
    columns
      .fromRows(await read('intents').select(columns.aliases).orderBy('created_at').limit(limit))
      .map(toIntent),
  overdue: async (before) => {
    const row = await read('intents')
      .where('created_at', '<', before)
      .first<{ count: number; oldest: number | null } | undefined>(
        read.raw('count(*) as count, min(created_at) as oldest'),
      );
    return row ?? { count: 0, oldest: null };
  },
  count: async () => {
    const row = await read('intents').first<{ count: number } | undefined>(read.raw('count(*) as count'));
    return row?.count ?? 0;
  },
});

const makeBegin = (write: Knex): IntentTable['begin'] => {
  const begin = batchCalls(async (orders: readonly NewIntent[]): Promise<(boolean | DailyOverrun)[]> => {
    const claims = orders.flatMap(({ intent, claim }) =>
      claim ? [{ ...claim, intentId: intent.id, createdAt: intent.createdAt }] : [],
    );
    const placed = orders.flatMap(({ order }) => order ?? []);
    if (claims.length === 0 && placed.length === 0) {
      await insertRows(
        write,
        'intents',
        orders.map(({ intent }) => toRow(intent)),
      );
      return orders.map(() => true);
    }
    return inTransaction(write, async (transaction) => {
      const claimed = await claimIdempotencyKeys(transaction, claims);
      const { stored, overruns } = await insertCountedOrders(transaction, placed);
      for (const id of stored) claimed.add(id);
      // Of two orders with one id in a batch, the first was stored.
      const begun = orders.map(({ intent, claim, order }) =>
        claim || order ? claimed.delete(intent.id) : true,
      );
      const rows = orders.filter((_, index) => begun[index]).map(({ intent }) => toRow(intent));
      await insertRows(transaction, 'intents', rows);
      return begun.map((isBegun, index) => {
        const order = orders[index]?.order;
        return (order && overruns.get(order)) ?? isBegun;
      });
    });
  });
  return async (order) => {
    const begun = await begin(order);
    if (typeof begun === 'boolean') return begun;
    throw dailyLimitRefusal(begun);
  };
};

const toRow = ({
  origin,
  actorName,
  names,
  sealedCodes = null,
  ...intent
}: Intent): Record<string, unknown> =>
  columns.toRow({
    ...intent,
    sealedCodes,
    names: names ? JSON.stringify(names) : null,
    actorKind: ordererKinds[origin],
    actorName,
    source: toSource({ origin, actorName }),
    hasOrder: origin !== 'api',
  });

const updateEnd = async (transaction: Knex, id: string, { at, clock, isVoid }: IntentEnd): Promise<void> => {
  await transaction('intents')
    .where({ id })
    .update(
      columns.toRow({
        endedAt: at,
        clockAtLeast: clock?.atLeast ?? null,
        clockAtMost: clock?.atMost ?? null,
        isVoid,
      }),
    );
};

const toIntent = ({
  actorKind,
  source: _source,
  hasOrder: _hasOrder,
  endedAt,
  clockAtLeast,
  clockAtMost,
  isVoid,
  names,
  ...stored
}: StoredIntent): Intent => {
  const intent = {
    ...stored,
    ...(names !== null && { names: JSON.parse(names) as string[] }),
    origin: originsByKind[actorKind],
  };
  if (endedAt === null) return intent;
  const clock =
    clockAtLeast === null || clockAtMost === null
      ? undefined
      : { atLeast: clockAtLeast, atMost: clockAtMost };
  return { ...intent, ended: { at: endedAt, clock, isVoid } };
};

/** Databases limit the number of parameters of a statement. */
const deleteBatchSize = 500;

/** What the removal of a controller does with the intents at its sites. */
export const openOrders: OpenOrders = {
  find: (transaction, siteIds) => transaction('intents').whereIn('site_id', siteIds).pluck<string[]>('id'),
  /** Keys first, in the same order as when a voucher is recorded: otherwise the two could deadlock. */
  giveUp: async (transaction, ids) => {
    const batches: string[][] = [];
    for (let start = 0; start < ids.length; start += deleteBatchSize)
      batches.push(ids.slice(start, start + deleteBatchSize));
    for (const batch of batches) await releaseIdempotencyKeys(transaction, batch);
    for (const batch of batches)
      await failOrders(transaction, batch, { code: 'controller-removed', values: {} });
    let removed = 0;
    for (const batch of batches) removed += await transaction('intents').whereIn('id', batch).delete();
    return removed;
  },
};
