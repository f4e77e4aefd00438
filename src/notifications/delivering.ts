import type { Effects } from '../effects.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import { publicText } from '../problem.js';
import type { Delivery } from '../storage/deliveries.js';
import type { Storage } from '../storage/storage.js';
import type { Format, FormatName, Message, TargetAnswer, Verdict } from './format.js';
import { PostFailed } from './post.js';
import { nextDelayMs } from './schedule.js';
import { usableSecrets, type Webhook } from './webhooks.js';

export interface DeliveringOptions {
  storage: Storage;
  /** All webhooks as they are now, with their secrets open. */
  webhooks(): Promise<readonly Webhook[]>;
  formats: Readonly<Record<FormatName, Format>>;
  post(address: string, message: Message): Promise<TargetAnswer>;
  effects: Effects;
  metrics: Metrics;
  log: Log;
  /** Names this process as the holder of a lease. */
  owner: string;
}

export interface Delivering {
  /** Makes deliveries of what is in the outbox, and starts sending what is due. */
  pass(): Promise<void>;
  /** Resolves when nothing of what was begun is being sent any more. */
  idle(): Promise<void>;
  /** The same, and nothing new is begun. */
  stop(): Promise<void>;
}

/** With the interval of the passes, another process takes over within 30 seconds. */
const leaseMs = 20_000;
/** What must be left of a lease when a post begins: longer than it may take. */
const leftMs = 16_000;
/** How many webhooks of one host are served at a time. */
const perHost = 4;

/** Sends notifications: each webhook's in order, one process at a time, independently of other webhooks. */
export const makeDelivering = (options: DeliveringOptions): Delivering => {
  const { storage, effects, log } = options;
  const sending = new Map<number, { host: string; done: Promise<void> }>();
  const attempt = makeAttempt(options);
  let stopped = false;

  const active = async (): Promise<Webhook[]> =>
    (await options.webhooks()).filter((webhook) => webhook.active);

  const makeHolds = (lease: string): (() => Promise<boolean>) => {
    let until = 0;
    return async () => {
      const now = effects.now();
      if (now + leftMs <= until) return true;
      if (!(await storage.leases.take(lease, options.owner, now, leaseMs))) return false;
      until = now + leaseMs;
      return true;
    };
  };

  const due = async (webhookId: number): Promise<Delivery | undefined> => {
    const [first] = await storage.deliveries.sendable(webhookId, effects.now(), 1);
    // One that is not due yet waits for its next try, and what is behind it waits too.
    return first && first.at <= effects.now() ? first : undefined;
  };

  const send = async (id: number): Promise<void> => {
    // Most of the time there is nothing, and looking does not need the writer.
    if (!(await due(id))) return;
    const lease = `deliver:${String(id)}`;
    const holds = makeHolds(lease);
    try {
      while (!stopped && (await holds())) {
        // Both are read under the lease: another process may have sent it, and somebody may have changed the webhook.
        const delivery = await due(id);
        const webhook = (await active()).find((one) => one.id === id);
        if (!delivery || !webhook || !(await attempt(webhook, delivery))) return;
      }
    } finally {
      await storage.leases.release(lease, options.owner);
    }
  };

  const begin = (webhook: Webhook): void => {
    const { host } = new URL(webhook.address);
    const busy = [...sending.values()].filter((other) => other.host === host).length;
    if (stopped || sending.has(webhook.id) || busy >= perHost) return;
    const done = send(webhook.id)
      .catch((error: unknown) => {
        log.warn({ err: error, webhook: webhook.name }, 'deliveries interrupted; gone on with later');
      })
      .finally(() => sending.delete(webhook.id));
    sending.set(webhook.id, { host, done });
  };

  const idle = async (): Promise<void> => {
    await Promise.all([...sending.values()].map(({ done }) => done));
  };

  return {
    pass: async () => {
      while ((await storage.deliveries.dispatch(effects.now())) > 0);
      (await active()).forEach(begin);
    },
    idle,
    stop: () => {
      stopped = true;
      return idle();
    },
  };
};

/** One try. Returns whether the webhook's next delivery may be tried. */
const makeAttempt =
  ({ storage, formats, post, effects, metrics, log }: DeliveringOptions) =>
  async (webhook: Webhook, delivery: Delivery): Promise<boolean> => {
    const format = formats[webhook.format];
    const verdict = await judged(async () => {
      const { language } = webhook;
      const now = effects.now();
      const message = format.compose(
        { ...delivery.notification, test: false },
        { language, now, secrets: usableSecrets(webhook, now) },
      );
      return format.judge(await post(webhook.address, message));
    });
    const now = effects.now();
    const note = (outcome: string, reason?: string): void => {
      metrics.delivery(webhook.format, outcome);
      const tries = delivery.tries + 1;
      log.info({ delivery: delivery.id, webhook: webhook.name, outcome, tries, reason }, 'notification');
    };

    if (verdict.outcome === 'delivered') {
      await storage.deliveries.settle(delivery.id, 'delivered', null, now);
      note('delivered');
      return true;
    }
    if (verdict.outcome === 'retry') {
      const delay = nextDelayMs({
        tries: delivery.tries + 1,
        ageMs: now - delivery.createdAt,
        afterSeconds: verdict.afterSeconds,
        chance: effects.randomBytes(4).readUInt32BE() / 2 ** 32,
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
const judged = async (attempt: () => Promise<Verdict>): Promise<Verdict> => {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof PostFailed && error.permanent) return { outcome: 'failed', reason: error.message };
    return { outcome: 'retry', reason: publicText(error), wholeTarget: true };
  }
};
