import { nodeSystem } from '../../lib/system.js';
import type { WebhookAdministration } from '../../webhooks/webhookAdministration.js';
import { openStoredSecrets } from '../../secrets/secretKey.js';
import type { Tables } from '../../app/tables.js';
import type { Io } from '../io.js';
import { withTables, type OpenedTables } from '../openTables.js';
import { makeCommandRotationSafeWriter } from '../sealing.js';

/** What a command manages webhooks with. */
export const openWebhookAdministration = async (
  opened: OpenedTables,
): Promise<{ readonly webhooks: WebhookAdministration; close(): Promise<void> }> => {
  const { config, tables, clock } = opened;
  const { makeWebhookSender, sendTimeoutMs } = await import('../../webhooks/sender.js');
  const { makeSsrfGuard } = await import('../../ssrf/ssrfGuard.js');
  const { makeWebhookAdministration } = await import('../../webhooks/webhookAdministration.js');
  const guard = makeSsrfGuard(config.webhookAllowPrivate);
  const { send, close } = makeWebhookSender({ guard, timeoutMs: sendTimeoutMs });
  const webhooks = makeWebhookAdministration({
    webhooks: tables.webhooks,
    deliveries: tables.deliveries,
    system: { ...nodeSystem, now: clock.now },
    guard,
    send,
    rotationSafeWriter: makeCommandRotationSafeWriter(opened),
    secrets: () => openStoredSecrets(config),
  });
  return { webhooks, close };
};

/** Opens what a command manages webhooks with, and closes it again. */
export const withWebhooks = <T>(
  io: Io,
  use: (webhooks: WebhookAdministration, tables: Tables) => Promise<T>,
): Promise<T> =>
  withTables(io, async (opened) => {
    const { webhooks, close } = await openWebhookAdministration(opened);
    try {
      return await use(webhooks, opened.tables);
    } finally {
      await close();
    }
  });
