import type { Knex } from 'knex';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { countChosenRows, deleteBatch, inTransaction, maxDeletedRows } from '../database/transactions.js';
import {
  parseReason,
  serialiseReason,
  type AttemptReason,
  type EmailReason,
  type SmsReason,
} from '../i18n/storedReasons.js';
import type { AccountNotice } from '../users/accountNotice.js';

/** What is sent, by kind, and why one of it was not. */
interface OutboxReasons {
  readonly webhook: AttemptReason;
  readonly email: EmailReason;
  readonly sms: SmsReason;
}
export type OutboxKind = keyof OutboxReasons;
export type OutboxReason<K extends OutboxKind = OutboxKind> = OutboxReasons[K];

/** Which messages the reasons are. */
const reasonKinds = { webhook: 'attempt', email: 'email', sms: 'sms' } as const;

/** To whom something goes, in which language. No secret is stored: tokens are created when they are sent. */
export interface AddressedMessage {
  readonly to: string;
  readonly language: string;
  /** The user who sends it; null where the service does. */
  readonly senderId: number | null;
  /** What a user is told about their account; null for a voucher. */
  readonly notice: AccountNotice | null;
}

/** One thing to send. */
export interface OutboxItem<K extends OutboxKind = OutboxKind> {
  readonly id: number;
  readonly kind: K;
  /** Chosen by the caller, so that nothing is sent twice that was asked for twice. Null for webhooks. */
  readonly key: string | null;
  readonly webhookId: number | null;
  /** What a webhook is told. */
  readonly notificationId: string | null;
  /** The voucher that is sent. */
  readonly voucherId: number | null;
  /** The user whose account it is about. */
  readonly userId: number | null;
  /** Null for webhooks, which have an address of their own. */
  readonly message: AddressedMessage | null;
  readonly state: OutboxState;
  /** The number of attempts so far. */
  readonly tries: number;
  /** When the next attempt is due; for a settled item, when it was settled. */
  readonly at: number;
  /** When the last attempt failed. */
  readonly triedAt: number | null;
  /** When the attempt in flight began, for kinds that are sent at most once. */
  readonly begunAt: number | null;
  /** Whether later items of the same queue wait for this one. */
  readonly holds: boolean;
  /** Why the last attempt failed; null once it is sent. */
  readonly reason: OutboxReason<K> | null;
  readonly createdAt: number;
}

export type OutboxState = 'waiting' | 'sent' | 'failed';

/** What is sent from one queue: all of a kind, or what one webhook gets, in order. */
export interface OutboxQueue<K extends OutboxKind = OutboxKind> {
  readonly kind: K;
  readonly webhookId?: number;
}

const columns = defineColumns<Omit<OutboxItem, 'reason'> & { readonly reason: string | null }>({
  id: 'plain',
  kind: 'plain',
  key: 'plain',
  webhookId: 'plain',
  notificationId: 'plain',
  voucherId: 'plain',
  userId: 'plain',
  message: 'json',
  state: 'plain',
  tries: 'plain',
  at: 'plain',
  triedAt: 'plain',
  begunAt: 'plain',
  holds: 'boolean',
  reason: 'plain',
  createdAt: 'plain',
});
export const outboxColumns = columns.aliases;

/** The rows of one kind as items. */
export const toItems = <K extends OutboxKind>(rows: readonly unknown[]): OutboxItem<K>[] =>
  columns.fromRows(rows).map((row) => ({
    ...row,
    kind: row.kind as K,
    reason: parseReason(reasonKinds[row.kind], row.reason) as OutboxReason<K> | null,
  }));

/** No attempt is delayed for longer. A later time was written before the clock was set back. */
export const maxRetryDelayMs = 30 * 60 * 60 * 1000;

/** An attempt further ahead was made before the clock was set back: clocks of processes differ by less. */
const maxClockDifferenceMs = 60_000;

/**
 * Whether to attempt it now. What was never tried is always due, even if the clock was set back.
 * So is what was tried before that: nobody knows how long it was to wait.
 */
export const isDue = (
  { at, tries, triedAt }: Pick<OutboxItem, 'at' | 'tries' | 'triedAt'>,
  now: number,
): boolean =>
  tries === 0 ||
  at <= now ||
  at > now + maxRetryDelayMs ||
  (triedAt !== null && triedAt > now + maxClockDifferenceMs);

/** The same as a condition. */
const whereDue = (either: Knex.QueryBuilder, now: number): Knex.QueryBuilder =>
  either
    .where('tries', 0)
    .orWhere('at', '<=', now)
    .orWhere('at', '>', now + maxRetryDelayMs)
    .orWhere('tried_at', '>', now + maxClockDifferenceMs);

/** What waits in a queue. */
export interface QueueLength {
  readonly webhookId: number | null;
  readonly waiting: number;
  readonly oldestAt: number;
  /** The most attempts that one of them has had. */
  readonly tries: number;
}

interface NextOptions {
  /** These are being sent. */
  readonly except?: readonly number[];
  /** Include what was tried before? It is by default. */
  readonly withRetries?: boolean;
}

type NewItem = Pick<OutboxItem, 'kind' | 'key' | 'message'> &
  Partial<Pick<OutboxItem, 'voucherId' | 'userId'>>;

/** Puts something into the outbox, unless its key is there already. Returns whether it did. */
export const enqueue = async (db: Knex, item: NewItem, now: number): Promise<boolean> => {
  const values = { state: 'waiting', tries: 0, at: now, holds: false, createdAt: now } as const;
  const added = await db('outbox')
    .insert(columns.toNewRow({ ...item, ...values }))
    .onConflict()
    .ignore()
    .returning<{ id: number }[]>('id');
  return added.length > 0;
};

/** The outbox of everything that is sent. */
export interface OutboxTable {
  /** Puts something into the outbox that nothing else depends on. */
  add(item: NewItem, now: number): Promise<void>;
  /**
   * What to send next, or what the rest of a webhook's queue has to wait for. Of other kinds, what was never
   * tried comes first.
   */
  findNext<K extends OutboxKind>(
    queue: OutboxQueue<K>,
    now: number,
    options?: NextOptions,
  ): Promise<OutboxItem<K> | undefined>;
  /** Marks that an attempt begins. Returns false when another one has begun, or it is settled. */
  begin(id: number, now: number): Promise<boolean>;
  /** Takes back that this attempt has begun: nothing was sent. */
  release(id: number, begunAt: number): Promise<void>;
  /** Only that it was sent changes a settled item: an outcome may arrive after the lease has ended. */
  settle(
    id: number,
    state: Exclude<OutboxState, 'waiting'>,
    reason: OutboxReason | null,
    at: number,
  ): Promise<void>;
  /**
   * With `holds`, nothing else of the same queue is due earlier. `begunAt` tells the attempt:
   * one of another process, which has got the lease meanwhile, goes on.
   */
  postpone(
    id: number,
    how: Pick<OutboxItem, 'at' | 'holds'> &
      Partial<Pick<OutboxItem, 'triedAt' | 'begunAt'>> & { readonly reason: OutboxReason },
  ): Promise<void>;
  /** Settles what was begun so long ago that nobody will tell how it ended. */
  settleInterrupted<K extends OutboxKind>(
    kind: K,
    reason: OutboxReason<K>,
    now: number,
    maxAttemptMs: number,
  ): Promise<OutboxItem<K>[]>;
  /** What waits in each queue of a kind; empty ones are left out. */
  queues(kind: OutboxKind): Promise<QueueLength[]>;
  /** How many failed for good since a time, and the last of them. */
  failedSince<K extends OutboxKind>(
    kind: K,
    time: number,
  ): Promise<{ readonly count: number; readonly last: OutboxItem<K> | undefined }>;
  /** Removes a batch of what was settled before a time, and returns how many. */
  removeSettled(kinds: readonly OutboxKind[], before: number, limit?: number): Promise<number>;
  /** How many there are of them, at most `limit`. */
  countSettled(kinds: readonly OutboxKind[], before: number, limit: number): Promise<number>;
}

export const outboxKey = { table: 'outbox', key: 'id' };

export const makeOutboxTable = ({ read, write }: Database): OutboxTable => {
  const waitingIn = ({ kind, webhookId }: OutboxQueue) =>
    read('outbox')
      .select<unknown[]>(columns.aliases)
      .where({ kind, state: 'waiting', ...(webhookId !== undefined && { webhook_id: webhookId }) })
      .whereNull('begun_at')
      .orderBy('id')
      .limit(1);

  return {
    add: async (item, now) => {
      await enqueue(write, item, now);
    },
    findNext: async <K extends OutboxKind>(
      queue: OutboxQueue<K>,
      now: number,
      { except = [], withRetries = true }: NextOptions = {},
    ) => {
      if (queue.webhookId !== undefined) {
        const next = waitingIn(queue).where((either) => void whereDue(either, now).orWhere('holds', true));
        return toItems<K>(await next)[0];
      }
      const others = waitingIn(queue).whereNotIn('id', except);
      const [untried] = toItems<K>(await others.clone().where('tries', 0));
      if (untried || !withRetries) return untried;
      return toItems<K>(await others.where((either) => void whereDue(either, now)))[0];
    },
    begin: async (id, now) =>
      (await write('outbox')
        .where({ id, state: 'waiting' })
        .whereNull('begun_at')
        .update({ begun_at: now })) > 0,
    release: async (id, begunAt) => {
      await write('outbox').where({ id, state: 'waiting', begun_at: begunAt }).update({ begun_at: null });
    },
    settle: async (id, state, reason, at) => {
      await write('outbox')
        .where({ id })
        .whereIn('state', state === 'sent' ? ['waiting', 'failed'] : ['waiting'])
        .update(settled(write, state, serialiseReason(reason), at));
    },
    postpone: (id, { reason, at, holds, triedAt = null, begunAt = null }) =>
      inTransaction(write, async (transaction) => {
        const [row] = await transaction('outbox')
          .where({ id, state: 'waiting', begun_at: begunAt })
          .update({
            reason: serialiseReason(reason),
            at,
            holds,
            tried_at: triedAt,
            begun_at: null,
            tries: write.raw('tries + 1'),
          })
          .returning<{ webhook_id: number | null }[]>('webhook_id');
        if (!holds || !row) return;
        // Later ones wait for this one anyway; earlier ones may have an attempt of their own due sooner.
        await transaction('outbox')
          .where({ webhook_id: row.webhook_id, state: 'waiting' })
          .where('id', '<', id)
          .where('at', '<', at)
          .update({ at });
      }),
    settleInterrupted: async (kind, reason, now, maxAttemptMs) => {
      // One that lies ahead was begun before the clock was set back.
      const interrupted = (rows: Knex.QueryBuilder): Knex.QueryBuilder =>
        rows
          .where({ kind, state: 'waiting' })
          .where(
            (either) =>
              void either
                .where('begun_at', '<', now - maxAttemptMs)
                .orWhere('begun_at', '>', now + maxAttemptMs),
          );
      // Usually there are none, and reading does not need the writer.
      if (!(await interrupted(read('outbox')).first<unknown>('id'))) return [];
      const rows = await interrupted(write('outbox'))
        .update(settled(write, 'failed', serialiseReason(reason), now))
        .returning<{ id: number }[]>('id');
      const ids = rows.map(({ id }) => id);
      return toItems(await read('outbox').whereIn('id', ids).select(columns.aliases));
    },
    queues: (kind) =>
      read('outbox')
        .where({ kind, state: 'waiting' })
        .groupBy('webhook_id')
        .select<QueueLength[]>(
          { webhookId: 'webhook_id' },
          read.raw('count(*) as waiting, min(created_at) as ??, max(tries) as tries', ['oldestAt']),
        ),
    failedSince: async <K extends OutboxKind>(kind: K, time: number) => {
      const failed = () => read('outbox').where({ kind, state: 'failed' }).where('at', '>=', time);
      const counted = await failed().first<{ count: number } | undefined>(read.raw('count(*) as count'));
      const [last] = toItems<K>(await failed().select(columns.aliases).orderBy('at', 'desc').limit(1));
      return { count: counted?.count ?? 0, last };
    },
    removeSettled: (kinds, before, limit = maxDeletedRows) =>
      deleteBatch(write, outboxKey, (rows) => whereSettledBefore(rows, kinds, before), limit),
    countSettled: (kinds, before, limit) =>
      countChosenRows(read, 'outbox', (rows) => whereSettledBefore(rows, kinds, before), limit),
  };
};

const settled = (db: Knex, state: OutboxState, reason: string | null, at: number) => ({
  state,
  reason,
  at,
  begun_at: null,
  tries: db.raw('tries + 1'),
});

const whereSettledBefore = (
  rows: Knex.QueryBuilder,
  kinds: readonly OutboxKind[],
  before: number,
): Knex.QueryBuilder =>
  rows.whereIn('kind', kinds).whereIn('state', ['sent', 'failed']).where('at', '<', before);
