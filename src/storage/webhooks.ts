import type { Sealed } from '../secrets/secrets.js';
import { defineColumns } from './columns.js';
import type { Database } from './database.js';
import type { DeliveryState } from './deliveries.js';
import { raiseRevisions } from './revisions.js';
import { inTransaction } from './transactions.js';

/** A stored webhook, with its address and secrets sealed. */
export interface StoredWebhook {
  readonly id: number;
  readonly name: string;
  readonly format: string;
  readonly language: string;
  readonly sealedAddress: string;
  /** The signing secrets as sealed JSON; null for formats that do not sign. */
  readonly sealedSecrets: string | null;
  readonly active: boolean;
  /** Why it was switched off, if the target caused that. */
  readonly reason: string | null;
  readonly createdAt: number;
}

const columns = defineColumns<StoredWebhook>({
  id: 'plain',
  name: 'plain',
  format: 'plain',
  language: 'plain',
  sealedAddress: 'plain',
  sealedSecrets: 'plain',
  active: 'boolean',
  reason: 'plain',
  createdAt: 'plain',
});

export type NewWebhook = Omit<
  StoredWebhook,
  'id' | 'active' | 'reason' | 'sealedAddress' | 'sealedSecrets'
> & {
  readonly sealedAddress: Sealed;
  readonly sealedSecrets: Sealed | null;
};

interface DeliveryCount {
  readonly webhookId: number;
  readonly state: DeliveryState;
  readonly count: number;
}

export interface WebhookTable {
  add(webhook: NewWebhook): Promise<number>;
  all(): Promise<StoredWebhook[]>;
  setActive(id: number, active: boolean, reason: string | null): Promise<void>;
  setSecrets(id: number, sealedSecrets: string): Promise<void>;
  /** The number of deliveries by webhook and state. */
  counts(): Promise<DeliveryCount[]>;
  /** Removes a webhook with its deliveries. */
  remove(id: number): Promise<void>;
}

/** The table of webhooks. Every change raises their revision. */
export const makeWebhookTable = ({ read, write }: Database): WebhookTable => ({
  add: ({ sealedAddress, sealedSecrets, ...webhook }) =>
    inTransaction(write, async (transaction) => {
      const [row] = await transaction('webhooks')
        // The address is sealed for the row's id, which does not exist before the insert.
        .insert(columns.toNewRow({ ...webhook, sealedAddress: '', active: true }))
        .returning<{ id: number }[]>('id');
      const id = row?.id ?? 0;
      const sealedFor = (value: Sealed | null): string | null =>
        typeof value === 'function' ? value(id) : value;
      await transaction('webhooks')
        .where({ id })
        .update({
          sealed_address: sealedFor(sealedAddress),
          sealed_secrets: sealedFor(sealedSecrets),
        });
      await raiseRevisions(transaction, ['webhooks']);
      return id;
    }),
  all: async () => columns.fromRows(await read('webhooks').select(columns.aliases).orderBy('id')),
  setActive: (id, active, reason) =>
    inTransaction(write, async (transaction) => {
      // First, as in every transaction that changes several rows, to avoid deadlocks.
      await raiseRevisions(transaction, ['webhooks']);
      await transaction('webhooks').where({ id }).update({ active, reason });
      // The target is expected to work again, so waiting deliveries are due at once.
      if (active)
        await transaction('deliveries')
          .where({ webhook_id: id, state: 'waiting' })
          .update({ at: 0, holds: false });
    }),
  setSecrets: (id, sealedSecrets) =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, ['webhooks']);
      await transaction('webhooks').where({ id }).update({ sealed_secrets: sealedSecrets });
    }),
  counts: () =>
    read('deliveries')
      .groupBy('webhook_id', 'state')
      .select<DeliveryCount[]>({ webhookId: 'webhook_id', state: 'state' }, read.raw('count(*) as count')),
  remove: (id) =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, ['webhooks']);
      // Locked, so that no delivery is made between the two deletes.
      await transaction('webhooks').where({ id }).forUpdate().select('id');
      await transaction('deliveries').where({ webhook_id: id }).delete();
      await transaction('webhooks').where({ id }).delete();
    }),
});
