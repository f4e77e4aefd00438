import type { Log } from '../lib/log.js';
import type { Metrics } from '../lib/metrics.js';
import { publicText } from '../lib/problem.js';
import type { System } from '../lib/system.js';
import { dispatchBatchSize as dispatchSize, isDeliveryDue, type Delivery } from '../storage/deliveries.js';
import { makeWithLease, type Lease } from '../storage/leases.js';
import type { Storage } from '../storage/storage.js';
import type {
  DeliveryVerdict,
  FormatName,
  WebhookFormat,
  WebhookMessage,
  WebhookResponse,
} from './formats/format.js';
import { nextRetryDelayMs } from './retrySchedule.js';
import { SendError, sendTimeoutMs } from './sender.js';
import { activeSigningSecrets, type Webhook } from './webhooks.js';

interface DeliveryWorkerDeps {
  storage: Storage;
  /** All webhooks as they are now, with their secrets open. */
  webhooks(): Promise<readonly Webhook[]>;
  formats: Readonly<Record<FormatName, WebhookFormat>>;
  send(address: string, message: WebhookMessage): Promise<WebhookResponse>;
  /** Ends what is being posted. */
  abort(): Promise<void>;
  system: System;
  metrics: Metrics;
  log: Log;
  /** Identifies this process as the owner of a lease. */
  owner: string;
}

export interface DeliveryWorker {
  /** Makes deliveries of what is in the outbox, and starts sending what is due. */
  runPass(): Promise<void>;
  /** Resolves when nothing of what was begun is being sent any more. */
  idle(): Promise<void>;
  /** The same, and nothing new is begun. */
  stop(): Promise<void>;
}

const leaseOptions = {
  /** With the interval of the passes, another process takes over within 30 seconds. */
  leaseMs: 20_000,
  /** Longer than sending may take, so that no lease expires meanwhile. */
  renewBelowMs: sendTimeoutMs + 1000,
};
const sendBatchSize = 20;
/** How long a stopping service waits for targets to answer. */
const stopTimeoutMs = 3_000;
/** How many webhooks of one host are served at a time. */
const maxWebhooksPerHost = 4;

/** Sends notifications: each webhook's in order, one process at a time, independently of other webhooks. */
export const makeDeliveryWorker = (options: DeliveryWorkerDeps): DeliveryWorker => {
  const { storage, system, log } = options;
  const sending = new Map<number, Promise<void>>();
  const inSlot = limitConcurrencyByKey(maxWebhooksPerHost);
  const attempt = makeDeliveryAttempt(options);
  const withLease = makeWithLease(storage.leases, options.owner, system);
  let stopped = false;

  const active = async (): Promise<Webhook[]> =>
    (await options.webhooks()).filter((webhook) => webhook.active);

  const due = async (webhookId: number): Promise<Delivery | undefined> => {
    const now = system.now();
    const [first] = await storage.deliveries.sendable(webhookId, now, 1);
    // One that is not due yet waits for its next try, and what is behind it waits too.
    return first && isDeliveryDue(first, now) ? first : undefined;
  };

  /** Sends what is due, up to a batch. Returns whether there may be more. */
  const sendBatch = async (id: number, lease: Lease): Promise<boolean> => {
    for (let sent = 0; sent < sendBatchSize; sent += 1) {
      if (stopped || !(await lease.renew())) return false;
      // Both are read under the lease: another process may have sent it, and somebody may have changed the webhook.
      const delivery = await due(id);
      const webhook = (await active()).find((one) => one.id === id);
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

  const begin = (webhook: Webhook): void => {
    if (stopped || sending.has(webhook.id)) return;
    const { id, name, address } = webhook;
    const work = async (): Promise<void> => {
      // Most of the time there is nothing, and looking needs neither a slot nor the writer.
      // Between batches the slot is given to whoever waits for it.
      while ((await due(id)) && (await inSlot(new URL(address).host, () => send(id))));
    };
    const done = work()
      .catch((error: unknown) => {
        log.warn({ err: error, webhook: name }, 'deliveries interrupted; gone on with later');
      })
      .finally(() => sending.delete(id));
    sending.set(id, done);
  };

  const idle = async (): Promise<void> => {
    await Promise.all(sending.values());
  };

  return {
    runPass: async () => {
      while ((await storage.deliveries.dispatch(system.now())) >= dispatchSize);
      (await active()).forEach(begin);
    },
    idle,
    stop: async () => {
      stopped = true;
      const timer = setTimeout(() => void options.abort(), stopTimeoutMs);
      await idle();
      clearTimeout(timer);
    },
  };
};

/** One try. Returns whether the webhook's next delivery may be tried. */
const makeDeliveryAttempt =
  ({ storage, formats, send: post, system, metrics, log }: DeliveryWorkerDeps) =>
  async (webhook: Webhook, delivery: Delivery, isStopped: () => boolean): Promise<boolean> => {
    const format = formats[webhook.format];
    const verdict = await toVerdict(async () => {
      const { language } = webhook;
      const now = system.now();
      const message = format.compose(
        { ...delivery.notification, test: false },
        { language, now, secrets: activeSigningSecrets(webhook, now) },
      );
      return format.judge(await post(webhook.address, message));
    });
    const now = system.now();
    const note = (outcome: 'delivered' | 'postponed' | 'failed', reason?: string): void => {
      metrics.delivery(webhook.format, outcome);
      const tries = delivery.tries + 1;
      const line = { delivery: delivery.id, webhook: webhook.name, outcome, tries, reason };
      // It is not tried again by itself: somebody has to know.
      if (outcome === 'failed') log.error(line, 'notification not delivered: failed for good');
      else log.info(line, 'notification');
    };

    if (verdict.outcome === 'delivered') {
      await storage.deliveries.settle(delivery.id, 'delivered', null, now);
      note('delivered');
      return true;
    }
    // A post that was ended with the service is no try.
    if (verdict.outcome === 'retry' && isStopped()) return false;
    if (verdict.outcome === 'retry') {
      const delay = nextRetryDelayMs({
        tries: delivery.tries + 1,
        ageMs: now - delivery.createdAt,
        afterSeconds: verdict.afterSeconds,
        random: system.randomBytes(4).readUInt32BE() / 2 ** 32,
      });
      if (delay !== undefined) {
        await storage.deliveries.postpone(delivery.id, {
          reason: verdict.reason,
          at: now + delay,
          holds: verdict.wholeTarget,
        });
        note('postponed', verdict.reason);
        return !verdict.wholeTarget;
      }
    }
    await storage.deliveries.settle(delivery.id, 'failed', verdict.reason, now);
    note('failed', verdict.reason);
    const switchOff = verdict.outcome === 'failed' && verdict.switchOff === true;
    if (switchOff) {
      await storage.webhooks.setActive(webhook.id, false, verdict.reason);
      log.warn(
        { webhook: webhook.name, reason: verdict.reason },
        'webhook switched off: its target wants nothing any more',
      );
    }
    return !switchOff;
  };

/** A post that did not come to an answer is a verdict too. */
const toVerdict = async (attempt: () => Promise<DeliveryVerdict>): Promise<DeliveryVerdict> => {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof SendError && error.permanent) return { outcome: 'failed', reason: error.message };
    return { outcome: 'retry', reason: publicText(error), wholeTarget: true };
  }
};

/** Lets at most `max` works of one name run at a time; others wait for their turn. */
export const limitConcurrencyByKey = (max: number) => {
  const names = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const slots = names.get(name) ?? { running: 0, waiting: [] };
    names.set(name, slots);
    if (slots.running < max) slots.running += 1;
    else await new Promise<void>((resolve) => slots.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = slots.waiting.shift();
      // A slot that is handed on stays taken.
      if (next) next();
      else if ((slots.running -= 1) === 0) names.delete(name);
    }
  };
};
