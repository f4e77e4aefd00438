import { limitConcurrencyByKey } from '../lib/concurrency.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import { describeReason, type AttemptReason } from '../i18n/storedReasons.js';
import type { System } from '../lib/system.js';
import {
  dispatchBatchSize as dispatchSize,
  isDeliveryDue,
  failingTries,
  type Delivery,
  type DeliveryTable,
} from './deliveryTable.js';
import { makeWithLease, type Lease, type LeaseTable } from '../database/leases.js';
import type {
  DeliveryVerdict,
  FormatName,
  WebhookFormat,
  WebhookMessage,
  WebhookResponse,
} from './formats/format.js';
import { nextRetryDelayMs } from '../lib/retrySchedule.js';
import { reasonOf, SendError, sendTimeoutMs } from './sender.js';
import { activeSigningSecrets, type Webhook } from './webhooks.js';
import type { Revisions } from '../database/revisions.js';
import type { WebhookTable } from './webhookTable.js';

/** The tables of webhooks and of what is on its way to them. */
export interface WebhookTables {
  readonly webhooks: WebhookTable;
  readonly deliveries: DeliveryTable;
  readonly leases: LeaseTable;
  readonly revisions: Revisions;
}

interface DeliveryWorkerDeps {
  tables: WebhookTables;
  /** All webhooks as they are now, with their secrets opened. */
  webhooks(): Promise<readonly Webhook[]>;
  formats: Readonly<Record<FormatName, WebhookFormat>>;
  send(address: string, message: WebhookMessage): Promise<WebhookResponse>;
  /** Aborts the messages in flight. */
  abort(): Promise<void>;
  system: System;
  metrics: Metrics;
  log: Log;
  /** Identifies this process as the owner of a lease. */
  owner: string;
}

export interface DeliveryWorker {
  /** Turns the notifications in the outbox into deliveries, and starts to send what is due. */
  runPass(): Promise<void>;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  /** Starts nothing new, and resolves when nothing is being sent. */
  stop(): Promise<void>;
}

const leaseOptions = {
  /** With the interval of the passes, another process takes over within 30 seconds. */
  leaseMs: 20_000,
  /** Longer than sending may take, so that no lease expires meanwhile. */
  renewBelowMs: sendTimeoutMs + 1000,
};
const sendBatchSize = 20;
/** How long a graceful shutdown waits for targets to answer. */
const stopTimeoutMs = 3_000;
/** How many webhooks of one host are sent to at a time. */
const maxWebhooksPerHost = 4;

/** Makes the delivery worker: each webhook gets its deliveries in order, from one process at a time, independently of others. */
export const makeDeliveryWorker = (deps: DeliveryWorkerDeps): DeliveryWorker => {
  const { tables, system, log, owner } = deps;
  const sending = new Map<number, Promise<void>>();
  const limitPerHost = limitConcurrencyByKey(maxWebhooksPerHost);
  const attempt = makeDeliveryAttempt(deps);
  const withLease = makeWithLease(tables.leases, owner, system);
  let stopped = false;

  const findActive = async (): Promise<Webhook[]> =>
    (await deps.webhooks()).filter((webhook) => webhook.active);

  const findDue = async (webhookId: number): Promise<Delivery | undefined> => {
    const now = system.now();
    const first = await tables.deliveries.findNextSendable(webhookId, now);
    // If the first one waits for its next attempt, those behind it wait, too.
    return first && isDeliveryDue(first, now) ? first : undefined;
  };

  /** Sends up to a batch of what is due. Returns whether there may be more. */
  const sendBatch = async (id: number, lease: Lease): Promise<boolean> => {
    for (let sent = 0; sent < sendBatchSize; sent += 1) {
      if (stopped || !(await lease.renew())) return false;
      // Both are read under the lease: another process may have sent the delivery, and the webhook may have changed.
      const delivery = await findDue(id);
      const webhook = (await findActive()).find((active) => active.id === id);
      if (!delivery || !webhook || !(await attempt(webhook, delivery, () => stopped))) return false;
    }
    return true;
  };

  const send = async (id: number): Promise<boolean> => {
    if (stopped) return false;
    const isUnfinished = await withLease(`deliver:${String(id)}`, leaseOptions, (lease) =>
      sendBatch(id, lease),
    );
    return isUnfinished === true;
  };

  const startSending = (webhook: Webhook): void => {
    if (stopped || sending.has(webhook.id)) return;
    const { id, name, address } = webhook;
    const sendAll = async (): Promise<void> => {
      // Usually nothing is due, and finding that out needs neither the host's queue nor a write.
      // Each batch queues again, so that other webhooks of the host get their turn.
      while ((await findDue(id)) && (await limitPerHost(new URL(address).host, () => send(id))));
    };
    const done = sendAll()
      .catch((error: unknown) => {
        log.warn({ err: error, webhook: name }, 'deliveries interrupted; will retry');
      })
      .finally(() => sending.delete(id));
    sending.set(id, done);
  };

  const idle = async (): Promise<void> => {
    await Promise.all(sending.values());
  };

  return {
    runPass: async () => {
      while ((await tables.deliveries.dispatch(system.now())) >= dispatchSize);
      (await findActive()).forEach(startSending);
    },
    idle,
    stop: async () => {
      stopped = true;
      const timer = setTimeout(() => void deps.abort(), stopTimeoutMs);
      await idle();
      clearTimeout(timer);
    },
  };
};

/** Makes one delivery attempt. Returns whether the webhook's next delivery may be sent. */
const makeDeliveryAttempt =
  ({ tables, formats, send, system, metrics, log }: DeliveryWorkerDeps) =>
  async (webhook: Webhook, delivery: Delivery, isStopped: () => boolean): Promise<boolean> => {
    const format = formats[webhook.format];
    const verdict = await toVerdict(async () => {
      const { language } = webhook;
      const now = system.now();
      const message = format.compose(
        { ...delivery.notification, test: false },
        { language, now, secrets: activeSigningSecrets(webhook, now) },
      );
      return format.judge(await send(webhook.address, message));
    });
    const now = system.now();
    const report = (outcome: 'delivered' | 'postponed' | 'failed', why?: AttemptReason): void => {
      metrics.delivery(webhook.id, webhook.format, outcome);
      const tries = delivery.tries + 1;
      const reason = why && describeReason('attempt', why).en;
      const line = { delivery: delivery.id, webhook: webhook.name, outcome, tries, reason };
      // There is no further attempt: an operator has to act.
      if (outcome === 'failed') log.error(line, 'notification not delivered: failed for good');
      else if (outcome === 'postponed' && tries >= failingTries)
        log.warn(line, 'notification not delivered: will retry');
      else log.info(line, 'delivery attempt');
    };

    if (verdict.outcome === 'delivered') {
      await tables.deliveries.settle(delivery.id, 'delivered', null, now);
      report('delivered');
      return true;
    }
    // An attempt that the shutdown aborted does not count.
    if (verdict.outcome === 'retry' && isStopped()) return false;
    if (verdict.outcome === 'retry') {
      const delay = nextRetryDelayMs({
        tries: delivery.tries + 1,
        ageMs: now - delivery.createdAt,
        afterSeconds: verdict.afterSeconds,
        random: system.randomBytes(4).readUInt32BE() / 2 ** 32,
      });
      if (delay !== undefined) {
        await tables.deliveries.postpone(delivery.id, {
          reason: verdict.reason,
          at: now + delay,
          triedAt: now,
          holds: verdict.wholeTarget,
        });
        report('postponed', verdict.reason);
        return !verdict.wholeTarget;
      }
    }
    await tables.deliveries.settle(delivery.id, 'failed', verdict.reason, now);
    report('failed', verdict.reason);
    const switchOff = verdict.outcome === 'failed' && verdict.switchOff === true;
    if (switchOff) {
      await tables.webhooks.change(webhook.id, { active: false, reason: verdict.reason });
      log.warn(
        { webhook: webhook.name, reason: describeReason('attempt', verdict.reason).en },
        'webhook switched off: its target answered 410 Gone',
      );
    }
    return !switchOff;
  };

/** The verdict of an attempt, also when no answer came. */
const toVerdict = async (attempt: () => Promise<DeliveryVerdict>): Promise<DeliveryVerdict> => {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof SendError && error.permanent) return { outcome: 'failed', reason: error.reason };
    return { outcome: 'retry', reason: reasonOf(error), wholeTarget: true };
  }
};
