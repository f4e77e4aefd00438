import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { continueIds } from '../database/sequences.js';
import { insertRows, inTransaction } from '../database/transactions.js';
import { apiKeyColumns, toKeyEntry, type StoredApiKey } from './apiKeyTable.js';

/** Adds keys with the ids, prefixes and hashes that they had elsewhere, all or none: clients keep their keys. */
export const importApiKeys = async (
  { write }: Database,
  keys: readonly StoredApiKey[],
  audit: AuditDraft,
): Promise<void> => {
  if (keys.length === 0) return;
  await inTransaction(write, async (transaction) => {
    await raiseRevisions(transaction, ['keys']);
    await insertRows(transaction, 'api_keys', keys.map(apiKeyColumns.toRow));
    await continueIds(transaction, 'api_keys');
    for (const key of keys) await recordAudit(transaction, toKeyEntry(audit, key));
  });
};
