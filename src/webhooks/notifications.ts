import type { Config } from '../config/config.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { System } from '../lib/system.js';
import type { Tracer } from '../tracing/tracer.js';
import { keyFilePath, openSecrets, readKeyFile } from '../secrets/secretKey.js';
import { SecretError } from '../secrets/encryption.js';
import { makeRevisionCache, type Revisions } from '../database/revisions.js';
import type { LeaseTable } from '../database/leases.js';
import type { OutboxTable } from '../outbox/outboxTable.js';
import { makeOutboxWorker, type OutboxWorker } from '../outbox/outboxWorker.js';
import { makeDeliveryTask } from './deliveryTask.js';
import type { DeliveryTable } from './deliveryTable.js';
import { webhookFormats } from './formats/index.js';
import { makeWebhookSender, sendTimeoutMs, type WebhookSender } from './sender.js';
import { makeSsrfGuard, type SsrfGuard } from '../ssrf/ssrfGuard.js';
import { openWebhook, type Webhook } from './webhooks.js';
import type { WebhookTable } from './webhookTable.js';

export interface NotificationsDeps {
  config: Config;
  tables: {
    readonly webhooks: WebhookTable;
    readonly deliveries: DeliveryTable;
    readonly outbox: OutboxTable;
    readonly leases: LeaseTable;
    readonly revisions: Revisions;
  };
  system: System;
  metrics: Metrics;
  log: Log;
  /** Records the deliveries in traces, where somebody wants them. */
  tracer?: Tracer | undefined;
  /** Identifies this process as the owner of a lease. */
  owner: string;
}

/** Makes the delivery of notifications from its parts. */
export const makeNotifications = (
  deps: NotificationsDeps,
): Pick<WebhookSender, 'send' | 'close'> & { guard: SsrfGuard; delivering: OutboxWorker } => {
  const { config, tables, system, log } = deps;
  const guard = makeSsrfGuard(config.webhookAllowPrivate);
  const { send, close } = makeWebhookSender({ guard, timeoutMs: sendTimeoutMs });
  const webhookCache = makeRevisionCache<readonly Webhook[]>({
    revisions: tables.revisions,
    maxSize: 1,
    load: async () => {
      const stored = await tables.webhooks.all();
      if (stored.length === 0) return [];
      if (!config.secretKey && !readKeyFile(keyFilePath(config.dataDir))) {
        throw new SecretError(
          'key-missing',
          `${keyFilePath(config.dataDir)} is missing, which opens the webhooks: put it back`,
        );
      }
      const secrets = openSecrets(config, system);
      return stored.flatMap((webhook) => {
        try {
          return [openWebhook(webhook, secrets)];
        } catch (error) {
          log.error({ err: error, webhook: webhook.name }, 'webhook cannot be used');
          return [];
        }
      });
    },
  });
  const task = makeDeliveryTask({
    ...deps,
    webhooks: () => webhookCache('webhooks'),
    formats: webhookFormats,
    send: deps.tracer ? traceSending(deps.tracer, send) : send,
  });
  const delivering = makeOutboxWorker(task, deps);
  return {
    guard,
    send,
    delivering,
    close: async () => {
      await delivering.stop();
      await close();
    },
  };
};

/** The address is a secret, and the trace is not passed on: most targets are chats. */
const traceSending =
  (tracer: Tracer, send: WebhookSender['send']): WebhookSender['send'] =>
  async (address, message, signal) => {
    const end = tracer.begin({
      name: 'webhook delivery',
      kind: 'client',
      attributes: { 'http.request.method': 'POST' },
    });
    try {
      const answer = await send(address, message, signal);
      end(undefined, { 'http.response.status_code': answer.status });
      return answer;
    } catch (error) {
      end(error);
      throw error;
    }
  };
