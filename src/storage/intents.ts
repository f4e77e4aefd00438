import { batchCalls } from '../lib/batch.js';
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

interface Row {
  id: string;
  site_id: number;
  name: string;
  max_uses: number;
  expire_minutes: number;
  down: number;
  up: number;
  quota_mb: number;
  source: string;
  created_at: number;
}

interface EndedRow extends Row {
  ended_at: number | null;
  clock_at_least: number | null;
  clock_at_most: number | null;
  /** SQLite has numbers. */
  is_void: boolean | number;
}

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
      await write('intents').insert(orders.map(({ intent }) => toRow(intent)));
      return orders.map(() => true);
    }
    return inTransaction(write, async (transaction) => {
      const claimed = await claimIdempotencyKeys(transaction, claims);
      const begun = orders.map(({ intent, claim }) => !claim || claimed.has(intent.id));
      const rows = orders.filter((_, index) => begun[index]).map(({ intent }) => toRow(intent));
      if (rows.length > 0) await transaction('intents').insert(rows);
      return begun;
    });
  }),
  end: (id, { at, clock, isVoid }) =>
    inTransaction(write, async (transaction) => {
      if (isVoid) await releaseIdempotencyKeys(transaction, [id]);
      await transaction('intents')
        .where({ id })
        .update({
          ended_at: at,
          clock_at_least: clock?.atLeast ?? null,
          clock_at_most: clock?.atMost ?? null,
          is_void: isVoid,
        });
    }),
  remove: batchCalls(async (ids) => {
    await inTransaction(write, async (transaction) => {
      // In the order in which a record is written, so that nobody waits in a circle.
      await releaseIdempotencyKeys(transaction, ids);
      await transaction('intents').whereIn('id', ids).delete();
    });
    return ids.map(() => undefined);
  }),
  all: async () => (await read<EndedRow>('intents').orderBy('created_at')).map(fromRow),
  count: async () => {
    const row = await read('intents').first<{ count: number } | undefined>(read.raw('count(*) as count'));
    return row?.count ?? 0;
  },
});

const toRow = (intent: Intent): Row => ({
  id: intent.id,
  site_id: intent.siteId,
  name: intent.name,
  max_uses: intent.maxUses,
  expire_minutes: intent.expireMinutes,
  down: intent.down,
  up: intent.up,
  quota_mb: intent.quotaMb,
  source: intent.source,
  created_at: intent.createdAt,
});

const fromRow = (row: EndedRow): Intent => ({
  id: row.id,
  siteId: row.site_id,
  name: row.name,
  maxUses: row.max_uses,
  expireMinutes: row.expire_minutes,
  down: row.down,
  up: row.up,
  quotaMb: row.quota_mb,
  source: row.source,
  createdAt: row.created_at,
  ...(row.ended_at !== null && { ended: toIntentEnd(row, row.ended_at) }),
});

const toIntentEnd = ({ clock_at_least, clock_at_most, is_void }: EndedRow, at: number): IntentEnd => ({
  at,
  clock:
    clock_at_least === null || clock_at_most === null
      ? undefined
      : { atLeast: clock_at_least, atMost: clock_at_most },
  isVoid: Boolean(is_void),
});
