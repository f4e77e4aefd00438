import type { Knex } from 'knex';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';

/** Records what is done to a webhook, if it exists. */
export const recordWebhookAudit = async (
  transaction: Knex,
  id: number,
  audit: AuditDraft | undefined,
): Promise<void> => {
  if (!audit) return;
  const webhook = await transaction('webhooks').where({ id }).first<{ name: string } | undefined>('name');
  if (!webhook) return;
  await recordAudit(transaction, {
    ...audit,
    subjectKind: 'webhook',
    subjectId: String(id),
    subjectName: webhook.name,
  });
};
