import type { Instruments } from './instruments.js';
import { removeSeries, type LabelSlots } from './labelSlots.js';

/** What is counted of all that is sent. */
export interface SendingMetrics {
  delivery(webhookId: number, format: string, outcome: 'delivered' | 'postponed' | 'failed'): void;
  email(outcome: 'sent' | 'postponed' | 'failed'): void;
  /** An attempt to send an SMS has ended. */
  sms(outcome: 'sent' | 'postponed' | 'failed'): void;
}

export const makeSendingMetrics = (
  { counter }: Instruments,
  slots: LabelSlots,
): SendingMetrics & { alignWebhooks(webhooks: readonly CountedWebhook[]): Promise<void> } => {
  const deliveries = counter(
    'deliveries_total',
    'Delivery attempts of notifications, by webhook, format and outcome: delivered, postponed, failed',
    ['webhook', 'format', 'outcome'],
  );
  const emails = counter('emails_total', 'Attempts to send an e-mail, by outcome: sent, postponed, failed', [
    'outcome',
  ]);
  const sms = counter('sms_total', 'Attempts to send an SMS, by outcome: sent, postponed, failed', [
    'outcome',
  ]);
  // A series that begins with its first event would hide that event from `increase()`.
  for (const outcome of ['sent', 'postponed', 'failed']) {
    emails.labels(outcome).inc(0);
    sms.labels(outcome).inc(0);
  }
  return {
    delivery: (webhookId, format, outcome) => {
      deliveries.labels(slots.labelOf(webhookId), format, outcome).inc();
    },
    email: (outcome) => {
      emails.labels(outcome).inc();
    },
    sms: (outcome) => {
      sms.labels(outcome).inc();
    },
    /** Webhooks have their series from the start, and lose it when they are gone. */
    alignWebhooks: async (webhooks) => {
      const gone = slots.keepOnly(webhooks.map(({ id }) => id));
      await removeSeries(deliveries, 'webhook', gone);
      for (const { id, format } of webhooks)
        for (const outcome of ['delivered', 'postponed', 'failed'])
          deliveries.labels(slots.labelOf(id), format, outcome).inc(0);
    },
  };
};

interface CountedWebhook {
  readonly id: number;
  readonly format: string;
}
