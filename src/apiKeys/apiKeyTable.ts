import { recordAudit, type AuditDraft, type NewAuditEntry } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction, insertRows } from '../database/transactions.js';
import { continueIds } from '../database/sequences.js';

export type Scope = 'read' | 'write';

/** A stored API key: its prefix and hash, never the key itself. */
export interface StoredApiKey {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly hash: string;
  readonly scope: Scope;
  /** Requests per minute; 0 means unlimited. */
  readonly rateLimit: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

const apiKeyColumns = defineColumns<StoredApiKey>({
  id: 'plain',
  name: 'plain',
  prefix: 'plain',
  hash: 'plain',
  scope: 'plain',
  rateLimit: 'plain',
  createdAt: 'plain',
  lastUsedAt: 'plain',
  revokedAt: 'plain',
  expiresAt: 'plain',
});

export type NewApiKey = Pick<
  StoredApiKey,
  'name' | 'prefix' | 'hash' | 'scope' | 'rateLimit' | 'createdAt' | 'expiresAt'
>;

export interface ApiKeyTable {
  /** Returns the new key's id. */
  add(key: NewApiKey, audit?: AuditDraft): Promise<number>;
  all(): Promise<StoredApiKey[]>;
  /** All keys that are not revoked. */
  usable(): Promise<StoredApiKey[]>;
  find(id: number): Promise<StoredApiKey | undefined>;
  /** Revokes the key with this id, or the keys with this prefix, and returns how many were revoked. */
  revoke(which: number | string, at: number, audit?: AuditDraft): Promise<number>;
  /** Undoes a revocation from this span of time. Returns false when there is none. */
  restore(
    id: number,
    revoked: { readonly from: number; readonly to: number },
    audit: AuditDraft,
  ): Promise<boolean>;
  /** Changes when a key expires, unless it is revoked. */
  setExpiry(id: number, expiresAt: number): Promise<void>;
  noteUse(id: number, at: number): Promise<void>;
}

/** The table of API keys. Every change but a use raises the revision of the keys. */
export const makeApiKeyTable = ({ read, write }: Database): ApiKeyTable => ({
  add: (key, audit) =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, ['keys']);
      const [row] = await transaction('api_keys')
        .insert(apiKeyColumns.toNewRow(key))
        .returning<{ id: number }[]>('id');
      const id = row?.id ?? 0;
      if (audit) await recordAudit(transaction, toKeyEntry(audit, { ...key, id }));
      return id;
    }),
  all: async () => apiKeyColumns.fromRows(await read('api_keys').select(apiKeyColumns.aliases).orderBy('id')),
  usable: async () =>
    apiKeyColumns.fromRows(await read('api_keys').select(apiKeyColumns.aliases).whereNull('revoked_at')),
  find: async (id) =>
    apiKeyColumns.fromRows(await read('api_keys').select(apiKeyColumns.aliases).where({ id }))[0],
  revoke: (which, at, audit) =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, ['keys']);
      const revoked = await transaction('api_keys')
        .where({ ...(typeof which === 'number' ? { id: which } : { prefix: which }), revoked_at: null })
        .update({ revoked_at: at })
        .returning<Pick<StoredApiKey, 'id' | 'name'>[]>(['id', 'name']);
      if (audit) for (const key of revoked) await recordAudit(transaction, toKeyEntry(audit, key));
      return revoked.length;
    }),
  restore: (id, { from, to }, audit) =>
    inTransaction(write, async (transaction) => {
      await raiseRevisions(transaction, ['keys']);
      const [key] = await transaction('api_keys')
        .where({ id })
        .whereBetween('revoked_at', [from, to])
        .update({ revoked_at: null })
        .returning<Pick<StoredApiKey, 'id' | 'name'>[]>(['id', 'name']);
      if (key) await recordAudit(transaction, toKeyEntry(audit, key));
      return key !== undefined;
    }),
  setExpiry: (id, expiresAt) =>
    inTransaction(write, async (transaction) => {
      await transaction('api_keys').where({ id, revoked_at: null }).update({ expires_at: expiresAt });
      await raiseRevisions(transaction, ['keys']);
    }),
  noteUse: async (id, at) => {
    await write('api_keys').where({ id }).update({ last_used_at: at });
  },
});

/** The entry of the audit log for what was done to a key. */
const toKeyEntry = (audit: AuditDraft, { id, name }: Pick<StoredApiKey, 'id' | 'name'>): NewAuditEntry => ({
  ...audit,
  subjectKind: 'key',
  subjectId: String(id),
  subjectName: name,
});

/**
 * Adds keys with the ids, prefixes and hashes that they had elsewhere, all or none: clients keep their keys.
 */
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
