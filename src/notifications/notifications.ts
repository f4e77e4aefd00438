import type { Config } from '../config.js';
import type { Log } from '../lib/log.js';
import type { Metrics } from '../lib/metrics.js';
import type { System } from '../lib/system.js';
import { keyFilePath, openSecrets, readKeyFile } from '../secrets/secretKey.js';
import { SecretError } from '../secrets/secrets.js';
import { makeRevisionCache } from '../storage/revisions.js';
import type { Storage } from '../storage/storage.js';
import { makeDeliveryWorker, type DeliveryWorker } from './deliveryWorker.js';
import { webhookFormats } from './formats/index.js';
import { makeWebhookSender, sendTimeoutMs } from './sender.js';
import { makeSsrfGuard } from './ssrfGuard.js';
import { openWebhook, type Webhook } from './webhooks.js';

export interface NotificationsDeps {
  config: Config;
  storage: Storage;
  system: System;
  metrics: Metrics;
  log: Log;
  owner: string;
}

const dayMs = 24 * 60 * 60 * 1000;

/** How often the outbox and what is due are looked at; an order of this process does it at once. */
export const deliveryIntervalMs = 1000;

/** Delivered notifications are kept for 30 days, failed ones for 90. */
export const cleanDeliveries = (storage: Storage, now: number): Promise<number> =>
  storage.deliveries.clean(now - 30 * dayMs, now - 90 * dayMs);

/** Puts the parts of the delivery together. */
export const makeNotifications = (
  options: NotificationsDeps,
): { delivering: DeliveryWorker; close: () => Promise<void> } => {
  const { config, storage, system, log } = options;
  const { send, close } = makeWebhookSender({
    guard: makeSsrfGuard(config.webhookAllowPrivate),
    timeoutMs: sendTimeoutMs,
  });
  const current = makeRevisionCache<readonly Webhook[]>({
    revisions: storage.revisions,
    maxSize: 1,
    load: async () => {
      const stored = await storage.webhooks.all();
      if (stored.length === 0) return [];
      if (!config.secretKey && !readKeyFile(keyFilePath(config.dataDir))) {
        throw new SecretError(
          `${keyFilePath(config.dataDir)} is missing, which opens the webhooks: put it back`,
        );
      }
      const secrets = openSecrets(config, system);
      return stored.flatMap((webhook) => {
        try {
          return [openWebhook(webhook, secrets)];
        } catch (error) {
          log.error({ err: error, webhook: webhook.name }, 'webhook can not be used');
          return [];
        }
      });
    },
  });
  const delivering = makeDeliveryWorker({
    ...options,
    webhooks: () => current('webhooks'),
    formats: webhookFormats,
    send,
    abort: close,
  });
  return {
    delivering,
    close: async () => {
      await delivering.stop();
      await close();
    },
  };
};
