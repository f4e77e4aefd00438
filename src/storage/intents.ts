import { batchCalls } from '../lib/batch.js';
import { defineColumns } from './columns.js';
import type { Database } from './database.js';
import { claimIdempotencyKeys, releaseIdempotencyKeys, type IdempotencyClaim } from './idempotencyKeys.js';
import { inTransaction } from './transactions.js';

/** An order, stored before the controller is asked for a voucher. */
export interface Intent {
  readonly id: string;
  readonly siteId: number;
  /** The voucher's name with the date in front. */
  readonly name: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
  readonly down: number;
  readonly up: number;
  readonly quotaMb: number;
  /** Who placed the order, for the notification. */
  readonly source: string;
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

/** An intent with the end in columns of its own. */
interface StoredIntent extends Omit<Intent, 'ended'> {
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
  source: 'plain',
  createdAt: 'plain',
  endedAt: 'plain',
  clockAtLeast: 'plain',
  clockAtMost: 'plain',
  isVoid: 'boolean',
});

export interface IntentTable {
  /** Stores an intent. False, with nothing stored, when its idempotency key is taken. */
  begin(order: { intent: Intent; claim?: IdempotencyClaim | undefined }): Promise<boolean>;
  /** Stores the end of an order with an open outcome. A void order frees its idempotency key. */
  end(id: string, end: IntentEnd): Promise<void>;
  /** Removes an intent without a voucher and frees its idempotency key. */
  remove(id: string): Promise<void>;
  all(): Promise<Intent[]>;
  /** The oldest ones. */
  oldest(limit: number): Promise<Intent[]>;
  count(): Promise<number>;
  /** How many began before a time, and when the oldest of them did. */
  overdue(before: number): Promise<{ readonly count: number; readonly oldest: number | null }>;
}

/** The table of open intents. */
export const makeIntentTable = ({ read, write }: Database): IntentTable => ({
  begin: batchCalls(async (orders) => {
    const claims = orders.flatMap(({ intent, claim }) =>
      claim ? [{ ...claim, intentId: intent.id, createdAt: intent.createdAt }] : [],
    );
    if (claims.length === 0) {
      await write('intents').insert(orders.map(({ intent }) => columns.toRow(intent)));
      return orders.map(() => true);
    }
    return inTransaction(write, async (transaction) => {
      const claimed = await claimIdempotencyKeys(transaction, claims);
      const begun = orders.map(({ intent, claim }) => !claim || claimed.has(intent.id));
      const rows = orders.filter((_, index) => begun[index]).map(({ intent }) => columns.toRow(intent));
      if (rows.length > 0) await transaction('intents').insert(rows);
      return begun;
    });
  }),
  end: (id, { at, clock, isVoid }) =>
    inTransaction(write, async (transaction) => {
      if (isVoid) await releaseIdempotencyKeys(transaction, [id]);
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
    }),
  remove: batchCalls(async (ids) => {
    await inTransaction(write, async (transaction) => {
      // In the same order as when a voucher is recorded, to avoid deadlocks.
      await releaseIdempotencyKeys(transaction, ids);
      await transaction('intents').whereIn('id', ids).delete();
    });
    return ids.map(() => undefined);
  }),
  all: async () =>
    columns.fromRows(await read('intents').select(columns.aliases).orderBy('created_at')).map(toIntent),
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

const toIntent = ({ endedAt, clockAtLeast, clockAtMost, isVoid, ...intent }: StoredIntent): Intent => {
  if (endedAt === null) return intent;
  const clock =
    clockAtLeast === null || clockAtMost === null
      ? undefined
      : { atLeast: clockAtLeast, atMost: clockAtMost };
  return { ...intent, ended: { at: endedAt, clock, isVoid } };
};
