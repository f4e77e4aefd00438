import { setTimeout as sleep } from 'node:timers/promises';
import { makeWithLease, type Lease, type LeaseTable, type WithLeaseOptions } from '../database/leases.js';
import { limitConcurrencyByKey } from '../lib/concurrency.js';
import { nextRetryDelayMs } from '../lib/retrySchedule.js';
import type { System } from '../lib/system.js';
import type { Log } from '../log/log.js';
import {
  isDue,
  type OutboxItem,
  type OutboxKind,
  type OutboxQueue,
  type OutboxReason,
  type OutboxTable,
} from './outboxTable.js';

/** What an attempt came to. The details are for the log. */
export type AttemptOutcome<K extends OutboxKind> =
  | { readonly outcome: 'sent' }
  | {
      /** `failed`: another attempt would not help, or might send it twice. */
      readonly outcome: 'retry' | 'failed';
      readonly reason: OutboxReason<K>;
      readonly details?: object;
      /** The next attempt comes no earlier. */
      readonly afterSeconds?: number | undefined;
      /** Does what is behind it in its queue wait, too? */
      readonly holds?: boolean;
    };

/** A queue that may be sent from. Only the process that has its lease does. */
export interface OpenQueue<K extends OutboxKind> extends OutboxQueue<K> {
  readonly lease: string;
  /** Few queues of one host are sent from at a time. */
  readonly host: string;
}

/** How one kind is sent. */
export interface OutboxTask<K extends OutboxKind> {
  readonly kind: K;
  /** What the log calls it. */
  readonly label: string;
  readonly leaseOptions: WithLeaseOptions;
  /** How many of a queue are sent at a time. With one, they are sent in order. */
  readonly maxInFlight: number;
  /** How many of those may be retries, so that there is room for what was never tried. */
  readonly maxRetriesInFlight: number;
  /** How many are sent until other queues of the host get their turn. */
  readonly batchSize: number;
  /**
   * Where it is given, nothing is sent twice: an attempt is stored before it begins.
   * One that was begun longer ago than any attempt takes has failed for this reason.
   */
  readonly atMostOnce?: { readonly maxAttemptMs: number; readonly interrupted: OutboxReason<K> };
  /** Puts into the outbox what is sent next. */
  fill?(): Promise<void>;
  /** What may be sent from now. */
  openQueues(): Promise<readonly OpenQueue<K>[]>;
  /** Does everything that can fail before anything is sent. Undefined when it is not to be sent now. */
  prepare(item: OutboxItem<K>): Promise<((signal: AbortSignal) => Promise<AttemptOutcome<K>>) | undefined>;
  /** What an error means: of the preparation, or of sending. */
  explain(error: unknown, isSending: boolean): AttemptOutcome<K>;
  /** The reason in English, for the log. */
  word(reason: OutboxReason<K>): string;
  /** Counts what became of it, and returns how the log names it. */
  report(item: OutboxItem<K>, outcome: 'sent' | 'postponed' | 'failed'): object;
}

interface OutboxWorkerDeps {
  readonly tables: { readonly outbox: OutboxTable; readonly leases: LeaseTable };
  readonly system: System;
  readonly log: Log;
  /** Identifies this process as the owner of a lease. */
  readonly owner: string;
}

/** Sends what is due of one kind. */
export interface OutboxWorker {
  /** Starts to send what is due. */
  runPass(): Promise<void>;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  /** Starts nothing new, aborts what no target has got yet, and resolves when nothing is being sent. */
  stop(): Promise<void>;
}

/** How often the outbox is checked; what this process puts into it triggers a pass at once. */
export const outboxIntervalMs = 1000;
/** With the interval of the passes, another process takes over within 30 seconds. */
export const outboxLeaseMs = 20_000;
/** One attempt may fail by chance; after the second one, people are told. */
export const failingTries = 2;
const maxQueuesPerHost = 4;
/** How often it looks for new ones while others are in flight. */
const lookMs = 500;

/** Sends one kind: each queue from one process at a time, independently of other queues. */
export const makeOutboxWorker = <K extends OutboxKind>(
  task: OutboxTask<K>,
  { tables: { outbox, leases }, system, log, owner }: OutboxWorkerDeps,
): OutboxWorker => {
  const { kind, label, atMostOnce } = task;
  const sending = new Map<string, Promise<void>>();
  const limitPerHost = limitConcurrencyByKey(maxQueuesPerHost);
  const withLease = makeWithLease(leases, owner, system);
  const stopping = new AbortController();

  const record = async (item: OutboxItem<K>, result: AttemptOutcome<K>): Promise<void> => {
    const now = system.now();
    const { begunAt } = item;
    const tries = item.tries + 1;
    if (result.outcome === 'sent') {
      await outbox.settle(item.id, 'sent', null, now);
      log.info({ ...task.report(item, 'sent'), outcome: 'sent', tries }, `${label} sent`);
      return;
    }
    // An attempt that the shutdown aborted does not count.
    if (result.outcome === 'retry' && stopping.signal.aborted) {
      if (begunAt !== null) await outbox.release(item.id, begunAt);
      return;
    }
    const { reason, details, afterSeconds, holds = false } = result;
    const ageMs = now - item.createdAt;
    const random = system.randomBytes(4).readUInt32BE() / 2 ** 32;
    const delay =
      result.outcome === 'retry' ? nextRetryDelayMs({ tries, ageMs, afterSeconds, random }) : undefined;
    if (delay === undefined) await outbox.settle(item.id, 'failed', reason, now);
    else await outbox.postpone(item.id, { reason, at: now + delay, triedAt: now, begunAt, holds });
    const outcome = delay === undefined ? 'failed' : 'postponed';
    const line = { ...task.report(item, outcome), outcome, tries, reason: task.word(reason), ...details };
    // There is no further attempt: an operator has to act.
    if (outcome === 'failed') log.error(line, `${label} not sent: failed for good`);
    else log[tries < failingTries ? 'info' : 'warn'](line, `${label} not sent: will retry`);
  };

  const send = async (due: OutboxItem<K>): Promise<void> => {
    let [item, isSending] = [due, false];
    const attempt = async (): Promise<AttemptOutcome<K> | undefined> => {
      const run = await task.prepare(due);
      if (!run) return undefined;
      if (atMostOnce) {
        const begunAt = system.now();
        // Another process may have begun.
        if (!(await outbox.begin(due.id, begunAt))) return undefined;
        item = { ...due, begunAt };
      }
      isSending = true;
      return run(stopping.signal);
    };
    const result = await attempt().catch((error: unknown) => task.explain(error, isSending));
    if (result) await record(item, result);
  };

  const findDue = async (
    queue: OutboxQueue<K>,
    options?: Parameters<OutboxTable['findNext']>[2],
  ): Promise<OutboxItem<K> | undefined> => {
    const now = system.now();
    const next = await outbox.findNext(queue, now, options);
    // If the first one waits for its next attempt, those behind it wait, too.
    return next && isDue(next, now) ? next : undefined;
  };

  /** Sends up to a batch of what is due, a few at a time. Returns whether there may be more. */
  const sendBatch = async (queue: OpenQueue<K>, lease: Lease): Promise<boolean> => {
    const inFlight = new Map<number, { readonly isRetry: boolean; readonly done: Promise<void> }>();
    const failures: Error[] = [];
    const start = (item: OutboxItem<K>): void => {
      const done = send(item).finally(() => inFlight.delete(item.id));
      // What was not recorded looks due, and must not be sent again at once: the batch ends with its failure.
      done.catch((error: unknown) => failures.push(error as Error));
      inFlight.set(item.id, { isRetry: item.tries > 0, done });
    };
    const allDone = () => [...inFlight.values()].map(({ done }) => done);
    const mayContinue = async (): Promise<boolean> =>
      !stopping.signal.aborted &&
      (await lease.renew()) &&
      (await task.openQueues()).some((open) => open.lease === queue.lease);
    try {
      for (let started = 0; started < task.batchSize;) {
        if (inFlight.size >= task.maxInFlight) {
          await Promise.race(allDone());
          continue;
        }
        if (!(await mayContinue())) return false;
        const retries = [...inFlight.values()].filter(({ isRetry }) => isRetry).length;
        // Read under the lease: another process may have sent it.
        const item = await findDue(queue, {
          except: [...inFlight.keys()],
          withRetries: retries < task.maxRetriesInFlight,
        });
        if (failures[0]) throw failures[0];
        if (item) {
          start(item);
          started += 1;
        } else if (inFlight.size === 0) return false;
        else await Promise.race([...allDone(), sleep(lookMs, undefined, { ref: false })]);
      }
      return true;
    } finally {
      await Promise.all(allDone());
    }
  };

  const startSending = (queue: OpenQueue<K>): void => {
    const { lease: name, host } = queue;
    if (stopping.signal.aborted || sending.has(name)) return;
    const sendBatchUnderLease = async (): Promise<boolean> =>
      !stopping.signal.aborted &&
      (await withLease(name, task.leaseOptions, (lease) => sendBatch(queue, lease))) === true;
    const sendAll = async (): Promise<void> => {
      // Usually nothing is due, and finding that out needs neither the host's queue nor a write.
      // Each batch queues again, so that other queues of the host get their turn.
      while ((await findDue(queue)) && (await limitPerHost(host, sendBatchUnderLease)));
    };
    const done = sendAll()
      .catch((error: unknown) => log.warn({ err: error, queue: name }, 'sending interrupted; will retry'))
      .finally(() => sending.delete(name));
    sending.set(name, done);
  };

  const idle = async (): Promise<void> => {
    await Promise.all(sending.values());
  };

  return {
    runPass: async () => {
      if (stopping.signal.aborted) return;
      await task.fill?.();
      if (atMostOnce) {
        const { interrupted, maxAttemptMs } = atMostOnce;
        const items = await outbox.settleInterrupted(kind, interrupted, system.now(), maxAttemptMs);
        for (const item of items)
          log.error(
            task.report(item, 'failed'),
            `${label} was being sent when its process ended: it may have been sent`,
          );
      }
      (await task.openQueues()).forEach(startSending);
    },
    idle,
    stop: async () => {
      stopping.abort();
      await idle();
    },
  };
};

/** What tasks share whose kind has one queue, which is sent from several at a time while `isOpen` says so. */
export const sharedQueue = <K extends OutboxKind>(
  kind: K,
  lease: string,
  isOpen: () => Promise<boolean>,
): Pick<
  OutboxTask<K>,
  'kind' | 'leaseOptions' | 'maxInFlight' | 'maxRetriesInFlight' | 'batchSize' | 'openQueues'
> => ({
  kind,
  // A server may need minutes for one, which must not end the lease, nor delay the others.
  leaseOptions: { leaseMs: outboxLeaseMs, renewBelowMs: 15_000, renewIntervalMs: 4000 },
  maxInFlight: 4,
  maxRetriesInFlight: 2,
  batchSize: Infinity,
  openQueues: async () => ((await isOpen()) ? [{ kind, lease, host: lease }] : []),
});
