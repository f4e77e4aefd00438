import type { Storage } from '../storage/storage.js';
import type { StoredWebhook } from '../storage/webhooks.js';
import { commandLine } from './commandLine.js';
import { CommandError } from './io.js';

/** The webhook that a person named. */
export const webhookNamed = async (storage: Storage, name: string): Promise<StoredWebhook> => {
  const stored = (await storage.webhooks.all()).find((known) => known.name === name.trim());
  if (stored) return stored;
  throw new CommandError(`there is no webhook named "${name}": see ${commandLine('webhook list')}`);
};
