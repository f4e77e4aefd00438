import { Refusal } from '../errors/problem.js';
import type { Texts } from '../i18n/language.js';
import { toTexts } from '../i18n/messages.js';
import { describeReason, type AttemptReason } from '../i18n/storedReasons.js';
import { newId, type System } from '../lib/system.js';
import type { Secrets } from '../secrets/encryption.js';
import type { DeliveryVerdict, WebhookEvent, WebhookResponse } from './formats/format.js';
import { webhookFormats } from './formats/index.js';
import { reasonOf, type WebhookSender } from './sender.js';
import { activeSigningSecrets, openWebhook, redactWebhookSecrets } from './webhooks.js';
import type { StoredWebhook } from './webhookTable.js';

/** What came back for a test message, without anything secret. */
export interface WebhookTestResult {
  /** Undefined when there was no connection, or no response in time. */
  readonly response?: Pick<WebhookResponse, 'status' | 'body'>;
  readonly outcome: DeliveryVerdict['outcome'];
  readonly reason: Texts | undefined;
}

export interface WebhookTestDeps {
  readonly system: System;
  readonly send: WebhookSender['send'];
  /** Opens sealed values. Called each time, because the key may have been rotated. */
  secrets(): Secrets;
}

/** Each waits for a target that may be slow. */
const maxTests = 4;

/** Sends marked messages, a few at a time. Throws `Refusal` when too many are under way. */
export const makeWebhookTest = (deps: WebhookTestDeps) => {
  const { system } = deps;
  let running = 0;

  const sendTestMessage = async (stored: StoredWebhook, source: string): Promise<WebhookTestResult> => {
    const webhook = openWebhook(stored, deps.secrets());
    const format = webhookFormats[webhook.format];
    const now = system.now();
    const event: WebhookEvent = {
      type: 'voucher.created',
      id: newId(system),
      count: 1,
      site: 'Test',
      source,
      createdAt: now,
      test: true,
    };
    const { language } = webhook;
    const message = format.compose(event, { language, secrets: activeSigningSecrets(webhook, now), now });
    const redact = (text: string): string => redactWebhookSecrets(text, webhook);
    const describe = (reason: AttemptReason): Texts => {
      const texts = describeReason('attempt', reason);
      return toTexts((language) => redact(texts[language]));
    };
    try {
      const response = await deps.send(webhook.address, message);
      const verdict = format.judge(response);
      return {
        response: { status: response.status, body: redact(response.body) },
        outcome: verdict.outcome,
        reason: verdict.outcome === 'delivered' ? undefined : describe(verdict.reason),
      };
    } catch (error) {
      return { outcome: 'failed', reason: describe(reasonOf(error)) };
    }
  };

  return async (webhook: StoredWebhook, source: string): Promise<WebhookTestResult> => {
    if (running >= maxTests) throw new Refusal('busy', 'too many tests are running', 'busy');
    running += 1;
    try {
      return await sendTestMessage(webhook, source);
    } finally {
      running -= 1;
    }
  };
};
