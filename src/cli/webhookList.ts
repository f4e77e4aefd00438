import { systemEffects } from '../effects.js';
import { maskAddress } from '../notifications/masking.js';
import { webhookBinding } from '../sealedBinding.js';
import { makeSecrets, SecretError, type Secrets } from '../secrets.js';
import type { DeliveryState } from '../storage/deliveries.js';
import type { StoredWebhook } from '../storage/webhooks.js';
import { openStoredSecrets } from '../storedSecrets.js';
import { commandLine } from './commandLine.js';
import { plain, printList, timestamp, type Io } from './io.js';
import { webhookNamed } from './webhookNamed.js';
import { withStorage } from './withStorage.js';

export const listWebhooks = (io: Io, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ config, storage }) => {
    const stored = await storage.webhooks.all();
    const counts = await storage.webhooks.counts();
    const count = (id: number, state: DeliveryState): number =>
      counts.find((one) => one.webhookId === id && one.state === state)?.count ?? 0;
    // An empty list needs no key, so none is made for it.
    const secrets =
      stored.length > 0 ? openStoredSecrets(config) : makeSecrets(Buffer.alloc(32), systemEffects);
    const webhooks = stored.map((webhook) => ({
      id: webhook.id,
      name: webhook.name,
      format: webhook.format,
      language: webhook.language,
      address: maskedAddress(webhook, secrets),
      active: webhook.active,
      reason: webhook.reason,
      createdAt: timestamp(webhook.createdAt),
      waiting: count(webhook.id, 'waiting'),
      failed: count(webhook.id, 'failed'),
    }));
    printList(
      io,
      json,
      webhooks,
      ({ name, format, language, address, waiting, failed, active, reason }) => ({
        name,
        format,
        language,
        address,
        waiting: String(waiting),
        failed: String(failed),
        state: active ? 'active' : `switched off${reason === null ? '' : `: ${plain(reason)}`}`,
      }),
      `no webhooks yet: ${commandLine('webhook add --name N --format F')}`,
    );
  });

/** Even without the right key the list tells which webhooks there are, so that they can be removed. */
const maskedAddress = ({ id, sealedAddress }: StoredWebhook, secrets: Secrets): string => {
  try {
    return maskAddress(secrets.open(sealedAddress, webhookBinding(id, 'address')));
  } catch (error) {
    if (error instanceof SecretError) return '(sealed with another key)';
    throw error;
  }
};

export const setWebhookActive = (
  io: Io,
  given: string,
  active: boolean,
  json: boolean | undefined,
): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const { id, name } = await webhookNamed(storage, given);
    await storage.webhooks.setActive(id, active, null);
    io.out(
      json
        ? `${JSON.stringify({ id, name, active })}\n`
        : `${plain(name)} is ${active ? 'active' : 'switched off'}\n`,
    );
  });

export const removeWebhook = (io: Io, given: string, json: boolean | undefined): Promise<void> =>
  withStorage(io, async ({ storage }) => {
    const { id, name } = await webhookNamed(storage, given);
    await storage.webhooks.remove(id);
    io.out(json ? `${JSON.stringify({ id, name, removed: true })}\n` : `removed ${plain(name)}\n`);
  });
