import type { Database } from './database.js';
import { raiseRevisions } from './revisions.js';
import { inTransaction } from './transactions.js';

export type Scope = 'read' | 'write';

/** An API key as it is stored: its prefix and its hash, never itself. */
export interface StoredApiKey {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly hash: string;
  readonly scope: Scope;
  /** Requests per minute; 0 is no limit. */
  readonly rateLimit: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

interface Row {
  id: number;
  name: string;
  prefix: string;
  hash: string;
  scope: Scope;
  rate_limit: number;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  expires_at: number | null;
}

export type NewApiKey = Pick<
  StoredApiKey,
  'name' | 'prefix' | 'hash' | 'scope' | 'rateLimit' | 'createdAt' | 'expiresAt'
>;

export interface ApiKeyTable {
  add(key: NewApiKey): Promise<number>;
  all(): Promise<StoredApiKey[]>;
  usable(): Promise<StoredApiKey[]>;
  /** Revokes the keys with this prefix and returns how many there were. */
  revoke(prefix: string, at: number): Promise<number>;
  /** Lets a key end at another time, unless it is revoked. */
  setExpiry(id: number, expiresAt: number): Promise<void>;
  noteUse(id: number, at: number): Promise<void>;
}

export const makeApiKeyTable = ({ read, write }: Database): ApiKeyTable => ({
  add: (key) =>
    inTransaction(write, async (transaction) => {
      const [row] = await transaction('api_keys')
        .insert({
          name: key.name,
          prefix: key.prefix,
          hash: key.hash,
          scope: key.scope,
          rate_limit: key.rateLimit,
          created_at: key.createdAt,
          expires_at: key.expiresAt,
        })
        .returning<{ id: number }[]>('id');
      await raiseRevisions(transaction, ['keys']);
      return row?.id ?? 0;
    }),
  all: async () => (await read<Row>('api_keys').orderBy('id')).map(fromRow),
  usable: async () => (await read<Row>('api_keys').whereNull('revoked_at')).map(fromRow),
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

const fromRow = (row: Row): StoredApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  hash: row.hash,
  scope: row.scope,
  rateLimit: row.rate_limit,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
  expiresAt: row.expires_at,
});
