import { defineColumns } from './columns.js';
import type { Database } from './database.js';
import { raiseRevisions } from './revisions.js';
import { inTransaction } from './transactions.js';

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

const columns = defineColumns<StoredApiKey>({
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
  add(key: NewApiKey): Promise<number>;
  all(): Promise<StoredApiKey[]>;
  /** All keys that are not revoked. */
  usable(): Promise<StoredApiKey[]>;
  /** Revokes the keys with this prefix and returns how many were revoked. */
  revoke(prefix: string, at: number): Promise<number>;
  /** Changes when a key expires, unless it is revoked. */
  setExpiry(id: number, expiresAt: number): Promise<void>;
  noteUse(id: number, at: number): Promise<void>;
}

/** The table of API keys. Every change but a use raises the revision of the keys. */
export const makeApiKeyTable = ({ read, write }: Database): ApiKeyTable => ({
  add: (key) =>
    inTransaction(write, async (transaction) => {
      const [row] = await transaction('api_keys')
        .insert(columns.toNewRow(key))
        .returning<{ id: number }[]>('id');
      await raiseRevisions(transaction, ['keys']);
      return row?.id ?? 0;
    }),
  all: async () => columns.fromRows(await read('api_keys').select(columns.aliases).orderBy('id')),
  usable: async () =>
    columns.fromRows(await read('api_keys').select(columns.aliases).whereNull('revoked_at')),
  revoke: (prefix, at) =>
    inTransaction(write, async (transaction) => {
      const revoked = await transaction('api_keys')
        .where({ prefix, revoked_at: null })
        .update({ revoked_at: at });
      await raiseRevisions(transaction, ['keys']);
      return revoked;
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
