import type { Sealed } from '../secrets/secrets.js';
import type { Database } from './database.js';
import type { DeliveryState } from './deliveries.js';
import { raiseRevisions } from './revisions.js';
import { inTransaction } from './transactions.js';

/** A target of notifications as it is stored: its address and its secrets only sealed. */
export interface StoredWebhook {
  readonly id: number;
  readonly name: string;
  readonly format: string;
  readonly language: string;
  readonly sealedAddress: string;
  /** JSON of the signing secrets, sealed; null for formats that do not sign. */
  readonly sealedSecrets: string | null;
  readonly active: boolean;
  /** Why it was switched off, when the target asked for it. */
  readonly reason: string | null;
  readonly createdAt: number;
}

interface Row {
  id: number;
  name: string;
  format: string;
  language: string;
  sealed_address: string;
  sealed_secrets: string | null;
  active: boolean | number;
  reason: string | null;
  created_at: number;
}

export type NewWebhook = Omit<
  StoredWebhook,
  'id' | 'active' | 'reason' | 'sealedAddress' | 'sealedSecrets'
> & {
  readonly sealedAddress: Sealed;
  readonly sealedSecrets: Sealed | null;
};

export interface WebhookTable {
  add(webhook: NewWebhook): Promise<number>;
  all(): Promise<StoredWebhook[]>;
  setActive(id: number, active: boolean, reason: string | null): Promise<void>;
  setSecrets(id: number, sealedSecrets: string): Promise<void>;
  /** How many deliveries each webhook has, by their state. */
  counts(): Promise<{ webhookId: number; state: DeliveryState; count: number }[]>;
  /** Removes a webhook with its deliveries. */
  remove(id: number): Promise<void>;
}

export const makeWebhookTable = ({ read, write }: Database): WebhookTable => {
  const change = (id: number, values: Partial<Row>): Promise<void> =>
    inTransaction(write, async (transaction) => {
      // First, as everybody does who changes several rows: whoever waits, waits for this one, and nobody in a circle.
      await raiseRevisions(transaction, ['webhooks']);
      await transaction('webhooks').where({ id }).update(values);
    });
  return {
    add: (webhook) =>
      inTransaction(write, async (transaction) => {
        const [row] = await transaction('webhooks')
          .insert({
            name: webhook.name,
            format: webhook.format,
            language: webhook.language,
            // Sealed for its id, which there is only now.
            sealed_address: '',
            active: true,
            created_at: webhook.createdAt,
          })
          .returning<{ id: number }[]>('id');
        const id = row?.id ?? 0;
        const sealedFor = (value: Sealed | null): string | null =>
          typeof value === 'function' ? value(id) : value;
        await transaction('webhooks')
          .where({ id })
          .update({
            sealed_address: sealedFor(webhook.sealedAddress),
            sealed_secrets: sealedFor(webhook.sealedSecrets),
          });
        await raiseRevisions(transaction, ['webhooks']);
        return id;
      }),
    all: async () => (await read<Row>('webhooks').orderBy('id')).map(fromRow),
    setActive: (id, active, reason) =>
      inTransaction(write, async (transaction) => {
        await raiseRevisions(transaction, ['webhooks']);
        await transaction('webhooks').where({ id }).update({ active, reason });
        // Whoever switches it on says that the target is well again: what waits need not wait any longer.
        if (active)
          await transaction('deliveries')
            .where({ webhook_id: id, state: 'waiting' })
            .update({ at: 0, holds: false });
      }),
    setSecrets: (id, sealedSecrets) => change(id, { sealed_secrets: sealedSecrets }),
    counts: async () =>
      (
        await read('deliveries')
          .groupBy('webhook_id', 'state')
          .select<{ webhook_id: number; state: DeliveryState; count: number }[]>(
            'webhook_id',
            'state',
            read.raw('count(*) as count'),
          )
      ).map(({ webhook_id, ...rest }) => ({ webhookId: webhook_id, ...rest })),
    remove: (id) =>
      inTransaction(write, async (transaction) => {
        await raiseRevisions(transaction, ['webhooks']);
        // Locked, so that nobody makes a delivery to it between the two.
        await transaction('webhooks').where({ id }).forUpdate().select('id');
        await transaction('deliveries').where({ webhook_id: id }).delete();
        await transaction('webhooks').where({ id }).delete();
      }),
  };
};

const fromRow = (row: Row): StoredWebhook => ({
  id: row.id,
  name: row.name,
  format: row.format,
  language: row.language,
  sealedAddress: row.sealed_address,
  sealedSecrets: row.sealed_secrets,
  active: Boolean(row.active),
  reason: row.reason,
  createdAt: row.created_at,
});
