import { batchCalls } from '../lib/batch.js';
import { defineColumns } from './columns.js';
import type { Database } from './database.js';
import { claimIdempotencyKeys, releaseIdempotencyKeys, type IdempotencyClaim } from './idempotencyKeys.js';
import { inTransaction } from './transactions.js';

/** An order that is written down before the controller is asked. */
export interface Intent {
  readonly id: string;
  readonly siteId: number;
  /** The stored name, with its date. */
  readonly name: string;
  readonly maxUses: number;
  readonly expireMinutes: number;
  readonly down: number;
  readonly up: number;
  readonly quotaMb: number;
  /** Who ordered, for the notification. */
  readonly source: string;
  readonly createdAt: number;
  /** How the order ended, when that is known and left the outcome open. */
  readonly ended?: IntentEnd | undefined;
}

/** The end of an order that left open whether there is a voucher. */
export interface IntentEnd {
  readonly at: number;
  /** By how many milliseconds the controller's clock was ahead of ours, as far as that was known then. */
  readonly clock: { readonly atLeast: number; readonly atMost: number } | undefined;
  /** The client was told that there is no voucher, so one that was made all the same is revoked. */
  readonly isVoid: boolean;
}

/** An intent as its columns hold it. */
interface StoredIntent extends Omit<Intent, 'ended'> {
  /** Null while it is not known how the order ended. */
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
  /** Writes an intent. False when its idempotency key is taken; then nothing was written. */
  begin(order: { intent: Intent; claim?: IdempotencyClaim | undefined }): Promise<boolean>;
  /** Notes how an order ended whose outcome is open. When it is void its idempotency key is free again. */
  end(id: string, end: IntentEnd): Promise<void>;
  /** Removes an intent that led to no voucher, and frees its idempotency key. */
  remove(id: string): Promise<void>;
  all(): Promise<Intent[]>;
  count(): Promise<number>;
}

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
      // In the order in which a record is written, so that nobody waits in a circle.
      await releaseIdempotencyKeys(transaction, ids);
      await transaction('intents').whereIn('id', ids).delete();
    });
    return ids.map(() => undefined);
  }),
  all: async () =>
    columns.fromRows(await read('intents').select(columns.aliases).orderBy('created_at')).map(toIntent),
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
