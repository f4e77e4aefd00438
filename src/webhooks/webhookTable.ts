import { Refusal } from '../errors/problem.js';
import type { Knex } from 'knex';
import { parseReason, serialiseReason, type AttemptReason } from '../i18n/storedReasons.js';
import type { Sealed } from '../secrets/encryption.js';
import type { AuditDraft } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import type { OutboxState } from '../outbox/outboxTable.js';
import { recordWebhookAudit, toDeliveryState, type DeliveryState } from './deliveryTable.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction } from '../database/transactions.js';

/** A stored webhook, with its address and secrets sealed. */
export interface StoredWebhook {
  readonly id: number;
  readonly name: string;
  readonly format: string;
  readonly language: string;
  /** Is it also told when a controller can't be reached? */
  readonly reportsControllers: boolean;
  readonly sealedAddress: string;
  /** The signing secrets as sealed JSON; null for formats that do not sign. */
  readonly sealedSecrets: string | null;
  readonly active: boolean;
  /** Why it was switched off, if the target caused that. */
  readonly reason: AttemptReason | null;
  readonly createdAt: number;
}

const columns = defineColumns<Omit<StoredWebhook, 'reason'> & { readonly reason: string | null }>({
  id: 'plain',
  name: 'plain',
  format: 'plain',
  language: 'plain',
  reportsControllers: 'boolean',
  sealedAddress: 'plain',
  sealedSecrets: 'plain',
  active: 'boolean',
  reason: 'plain',
  createdAt: 'plain',
});

export type NewWebhook = Omit<
  StoredWebhook,
  'id' | 'active' | 'reason' | 'reportsControllers' | 'sealedAddress' | 'sealedSecrets'
> & {
  /** False where it is left out. */
  readonly reportsControllers?: boolean;
  readonly sealedAddress: Sealed;
  readonly sealedSecrets: Sealed | null;
};

/** What is changed of a webhook. */
export type WebhookChange = Partial<Pick<StoredWebhook, 'name' | 'active' | 'reason' | 'reportsControllers'>>;

interface DeliveryCount {
  readonly webhookId: number;
  readonly state: DeliveryState;
  readonly count: number;
}

/**
 * Changes are recorded in the audit log where a draft of the entry is given.
 * They return false if there is no such webhook.
 */
export interface WebhookTable {
  /** Throws the refusal `name-taken`. */
  add(webhook: NewWebhook, audit?: AuditDraft): Promise<number>;
  all(): Promise<StoredWebhook[]>;
  /** Throws the refusal `name-taken`. */
  change(id: number, values: WebhookChange, audit?: AuditDraft): Promise<boolean>;
  /** Replaces the secrets, unless they are no longer what they were when they were read. */
  replaceSecrets(
    id: number,
    sealedSecrets: { readonly from: string | null; readonly to: string },
    audit?: AuditDraft,
  ): Promise<boolean>;
  /** The number of deliveries by webhook and state. */
  counts(): Promise<DeliveryCount[]>;
  /** Removes a webhook with its deliveries. */
  remove(id: number, audit?: AuditDraft): Promise<boolean>;
}

/** The table of webhooks. Every change raises their revision. */
export const makeWebhookTable = ({ read, write }: Database): WebhookTable => ({
  add: ({ sealedAddress, sealedSecrets, ...webhook }, audit) =>
    inWebhookTransaction(write, async (transaction) => {
      await assertNameFree(transaction, webhook.name);
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
      await recordWebhookAudit(transaction, id, audit);
      return id;
    }),
  all: async () =>
    columns
      .fromRows(await read('webhooks').select(columns.aliases).orderBy('id'))
      .map((webhook) => ({ ...webhook, reason: parseReason('attempt', webhook.reason) })),
  change: (id, { reason, ...values }, audit) =>
    inWebhookTransaction(write, async (transaction) => {
      const { name, active } = values;
      if (name !== undefined) await assertNameFree(transaction, name, id);
      await recordWebhookAudit(transaction, id, audit);
      const changed = await transaction('webhooks')
        .where({ id })
        .update(
          columns.toRow({ ...values, ...(reason !== undefined && { reason: serialiseReason(reason) }) }),
        );
      // The target is expected to work again, so waiting deliveries are due at once.
      if (active)
        await transaction('outbox')
          .where({ webhook_id: id, state: 'waiting' })
          .update({ at: 0, holds: false });
      return changed > 0;
    }),
  replaceSecrets: (id, { from, to }, audit) =>
    inWebhookTransaction(write, async (transaction) => {
      const known = transaction('webhooks').where({ id, sealed_secrets: from });
      if ((await known.update({ sealed_secrets: to })) === 0) return false;
      await recordWebhookAudit(transaction, id, audit);
      return true;
    }),
  counts: async () => {
    const rows = await read('outbox')
      .where('kind', 'webhook')
      .groupBy('webhook_id', 'state')
      .select<{ webhookId: number; state: OutboxState; count: number }[]>(
        { webhookId: 'webhook_id', state: 'state' },
        read.raw('count(*) as count'),
      );
    return rows.map((row) => ({ ...row, state: toDeliveryState(row.state) }));
  },
  remove: (id, audit) =>
    inWebhookTransaction(write, async (transaction) => {
      // Locked, so that no delivery is made between the two deletes.
      await transaction('webhooks').where({ id }).forUpdate().select('id');
      await recordWebhookAudit(transaction, id, audit);
      await transaction('outbox').where({ webhook_id: id }).delete();
      return (await transaction('webhooks').where({ id }).delete()) > 0;
    }),
});

const assertNameFree = async (transaction: Knex, name: string, ownId = 0): Promise<void> => {
  if (await transaction('webhooks').where({ name }).whereNot({ id: ownId }).first('id'))
    throw new Refusal('name-taken', `there is already a webhook named "${name}"`);
};

/** The revision is raised first, as in every transaction that changes several rows, to avoid deadlocks. */
const inWebhookTransaction = <T>(write: Knex, work: (transaction: Knex) => Promise<T>): Promise<T> =>
  inTransaction(write, async (transaction) => {
    await raiseRevisions(transaction, ['webhooks']);
    return work(transaction);
  });
