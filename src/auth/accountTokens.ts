import { hash } from 'node:crypto';
import type { System } from '../lib/system.js';
import type { AccountTokenTable, TokenPurpose } from '../users/accountTokenTable.js';
import type { StoredUser } from '../users/userTable.js';

/** How long a link may be used after it was sent. */
const lifetimesMs: Readonly<Record<TokenPurpose, number>> = {
  'password-reset': 3_600_000,
  invitation: 3 * 86_400_000,
};

/** Tokens of links with which users choose a password. Each is random, stored as its hash, and valid once. */
export interface AccountTokens {
  /**
   * Makes a token in place of those that were sent before; undefined for a user without an e-mail address.
   */
  make(
    user: Pick<StoredUser, 'id' | 'emailKey'>,
    purpose: TokenPurpose,
  ): Promise<{ readonly token: string; readonly lifetimeMs: number } | undefined>;
  /** The id of the user who may choose a password with it. */
  findUser(token: string): Promise<number | undefined>;
}

export const makeAccountTokens = (table: AccountTokenTable, system: System): AccountTokens => ({
  make: async ({ id, emailKey }, purpose) => {
    if (emailKey === null) return undefined;
    const token = Buffer.from(system.randomBytes(32)).toString('base64url');
    const lifetimeMs = lifetimesMs[purpose];
    const expiresAt = system.now() + lifetimeMs;
    await table.replace({ hash: hashAccountToken(token), userId: id, purpose, emailKey, expiresAt });
    return { token, lifetimeMs };
  },
  findUser: (token) => table.findUser(hashAccountToken(token), system.now()),
});

export const hashAccountToken = (token: string): string => hash('sha256', token, 'hex');
