import type { Config } from '../config.js';
import type { Effects } from '../effects.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import { readKeyFile } from '../keyFile.js';
import { keyFileOf, openSecrets } from '../secretKey.js';
import { SecretError } from '../secrets.js';
import { makeCurrent } from '../storage/current.js';
import type { Storage } from '../storage/storage.js';
import { makeDelivering, type Delivering } from './delivering.js';
import { formats } from './formats/index.js';
import { makeGuard } from './guard.js';
import { makePost } from './post.js';
import { openWebhook, type Webhook } from './webhooks.js';

export interface NotificationsOptions {
  config: Config;
  storage: Storage;
  effects: Effects;
  metrics: Metrics;
  log: Log;
  owner: string;
}

const day = 24 * 60 * 60 * 1000;

/** How often the outbox and what is due are looked at; an order of this process does it at once. */
export const deliveryIntervalMs = 1000;

/** Delivered notifications are kept for 30 days, failed ones for 90. */
export const cleanDeliveries = (storage: Storage, now: number): Promise<number> =>
  storage.deliveries.clean(now - 30 * day, now - 90 * day);

/** Puts the parts of the delivery together. */
export const makeNotifications = (
  options: NotificationsOptions,
): { delivering: Delivering; close: () => Promise<void> } => {
  const { config, storage, effects, log } = options;
  const { post, close } = makePost({ guard: makeGuard(config.webhookAllowPrivate) });
  const current = makeCurrent<readonly Webhook[]>({
    revisions: storage.revisions,
    maxSize: 1,
    load: async () => {
      const stored = await storage.webhooks.all();
      if (stored.length === 0) return [];
      if (!config.secretKey && !readKeyFile(keyFileOf(config.dataDir))) {
        throw new SecretError(
          `${keyFileOf(config.dataDir)} is missing, which opens the webhooks: put it back`,
        );
      }
      const secrets = openSecrets(config, effects);
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
  const delivering = makeDelivering({
    ...options,
    webhooks: () => current('webhooks'),
    formats,
    post,
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
