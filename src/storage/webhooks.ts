import type { Database } from './database.js';
import type { DeliveryState } from './deliveries.js';
import { raise } from './revisions.js';
import { inTransaction } from './transaction.js';

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

export type NewWebhook = Omit<StoredWebhook, 'id' | 'active' | 'reason'>;

export interface WebhookTable {
  add(webhook: NewWebhook): Promise<number>;
  all(): Promise<StoredWebhook[]>;
  setActive(id: number, active: boolean, reason: string | null): Promise<void>;
  setSecrets(id: number, sealedSecrets: string): Promise<void>;
  /** Changes everything that is sealed, or nothing at all. Returns how many values that were. */
  reseal(change: (sealed: string) => string): Promise<number>;
  /** How many deliveries each webhook has, by their state. */
  counts(): Promise<{ webhookId: number; state: DeliveryState; count: number }[]>;
  /** Removes a webhook with its deliveries. */
  remove(id: number): Promise<void>;
}

export const makeWebhookTable = ({ read, write }: Database): WebhookTable => {
  const change = (id: number, values: Partial<Row>): Promise<void> =>
    inTransaction(write, async (transaction) => {
      await transaction('webhooks').where({ id }).update(values);
      await raise(transaction, ['webhooks']);
    });
  return {
    add: (webhook) =>
      inTransaction(write, async (transaction) => {
        const [row] = await transaction('webhooks')
          .insert({
            name: webhook.name,
            format: webhook.format,
            language: webhook.language,
            sealed_address: webhook.sealedAddress,
            sealed_secrets: webhook.sealedSecrets,
            active: true,
            created_at: webhook.createdAt,
          })
          .returning<{ id: number }[]>('id');
        await raise(transaction, ['webhooks']);
        return row?.id ?? 0;
      }),
    all: async () => (await read<Row>('webhooks').orderBy('id')).map(fromRow),
    setActive: (id, active, reason) =>
      inTransaction(write, async (transaction) => {
        await transaction('webhooks').where({ id }).update({ active, reason });
        // Whoever switches it on says that the target is well again: what waits need not wait any longer.
        if (active)
          await transaction('deliveries')
            .where({ webhook_id: id, state: 'waiting' })
            .update({ at: 0, holds: false });
        await raise(transaction, ['webhooks']);
      }),
    setSecrets: (id, sealedSecrets) => change(id, { sealed_secrets: sealedSecrets }),
    reseal: (change) =>
      inTransaction(write, async (transaction) => {
        // A write comes first, so that SQLite takes its lock before it reads.
        await raise(transaction, ['webhooks']);
        const rows = await transaction<Row>('webhooks').forUpdate();
        for (const { id, sealed_address, sealed_secrets } of rows) {
          const values = {
            sealed_address: change(sealed_address),
            sealed_secrets: sealed_secrets === null ? null : change(sealed_secrets),
          };
          await transaction('webhooks').where({ id }).update(values);
        }
        return rows.reduce((sum, { sealed_secrets }) => sum + (sealed_secrets === null ? 1 : 2), 0);
      }),
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
        await raise(transaction, ['webhooks']);
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
