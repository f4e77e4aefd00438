import type { Metrics } from '../metrics/metrics.js';
import { describeReason } from '../i18n/storedReasons.js';
import type { Awaitable } from '../lib/awaitable.js';
import type { System } from '../lib/system.js';
import type { Log } from '../log/log.js';
import { outboxLeaseMs, type AttemptOutcome, type OutboxTask } from '../outbox/outboxWorker.js';
import { dispatchBatchSize, type DeliveryTable } from './deliveryTable.js';
import type { DeliveryVerdict, FormatName, WebhookFormat } from './formats/format.js';
import { reasonOf, SendError, sendTimeoutMs, type WebhookSender } from './sender.js';
import { activeSigningSecrets, type Webhook } from './webhooks.js';
import type { WebhookTable } from './webhookTable.js';

interface DeliveryTaskDeps {
  readonly tables: { readonly webhooks: WebhookTable; readonly deliveries: DeliveryTable };
  /** All webhooks as they are now, with their secrets opened. */
  webhooks(): Awaitable<readonly Webhook[]>;
  readonly formats: Readonly<Record<FormatName, WebhookFormat>>;
  readonly send: WebhookSender['send'];
  readonly system: System;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Each webhook gets its deliveries in order and at least once, independently of other webhooks. */
export const makeDeliveryTask = (deps: DeliveryTaskDeps): OutboxTask<'webhook'> => {
  const { tables, webhooks, formats, send, system, metrics, log } = deps;

  /** As they were when the open queues were last looked for, which is before each attempt. */
  let known: readonly Webhook[] = [];
  const find = (id: number | null): Webhook | undefined => known.find((webhook) => webhook.id === id);

  const switchOff = async ({ id, name }: Webhook, verdict: DeliveryVerdict): Promise<void> => {
    if (verdict.outcome !== 'failed' || verdict.switchOff !== true) return;
    const { reason } = verdict;
    const line = { webhook: name, reason: describeReason('attempt', reason).en };
    try {
      await tables.webhooks.change(id, { active: false, reason });
      log.warn(line, 'webhook switched off: its target answered 410 Gone');
    } catch (error) {
      // The delivery has failed all the same; the next one switches the webhook off.
      log.warn({ ...line, err: error }, 'webhook not switched off: its target answered 410 Gone');
    }
  };

  return {
    kind: 'webhook',
    label: 'notification',
    // Longer than sending may take, so that no lease expires meanwhile.
    leaseOptions: { leaseMs: outboxLeaseMs, renewBelowMs: sendTimeoutMs + 1000 },
    maxInFlight: 1,
    maxRetriesInFlight: 1,
    batchSize: 20,
    fill: async () => {
      while ((await tables.deliveries.dispatch(system.now())) >= dispatchBatchSize);
    },
    openQueues: async () => {
      known = await webhooks();
      return known
        .filter(({ active }) => active)
        .map(({ id, address }) => ({
          kind: 'webhook',
          webhookId: id,
          lease: `deliver:${String(id)}`,
          host: new URL(address).host,
        }));
    },
    prepare: async ({ id, webhookId }) => {
      const webhook = find(webhookId);
      // It may have been removed with its deliveries.
      const delivery = await tables.deliveries.find(id);
      if (!webhook?.active || !delivery) return undefined;
      return async (signal) => {
        const { format: name, language, address } = webhook;
        const now = system.now();
        const event = { ...delivery.notification, test: false };
        const secrets = activeSigningSecrets(webhook, now);
        const message = formats[name].compose(event, { language, now, secrets });
        const verdict = formats[name].judge(await send(address, message, signal));
        await switchOff(webhook, verdict);
        return toOutcome(verdict);
      };
    },
    explain: (error, isSending) => {
      // Nothing is known of the target.
      if (!isSending) throw error;
      const isPermanent = error instanceof SendError && error.permanent;
      return { outcome: isPermanent ? 'failed' : 'retry', reason: reasonOf(error), holds: true };
    },
    word: (reason) => describeReason('attempt', reason).en,
    report: ({ id, webhookId }, outcome) => {
      const webhook = find(webhookId);
      if (webhook) metrics.delivery(webhook.id, webhook.format, outcome === 'sent' ? 'delivered' : outcome);
      return { delivery: id, webhook: webhook?.name };
    },
  };
};

const toOutcome = (verdict: DeliveryVerdict): AttemptOutcome<'webhook'> => {
  if (verdict.outcome === 'delivered') return { outcome: 'sent' };
  const { outcome, reason } = verdict;
  return outcome === 'failed'
    ? { outcome, reason }
    : { outcome, reason, afterSeconds: verdict.afterSeconds, holds: verdict.wholeTarget };
};
