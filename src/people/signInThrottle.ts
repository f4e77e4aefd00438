import { toStoredLine } from '../lib/label.js';
import { hash } from 'node:crypto';
import type { WindowCounter } from '../access/rateLimiter.js';
import { networkOf } from '../lib/addresses.js';

/** Limits the attempts to sign in, per account and per address. */
export interface SignInThrottle {
  /** Counts an attempt, before anything is checked. Without an account, only the address counts. */
  count(loginKey: string | undefined, address: string): Promise<ThrottleStatus>;
  /** Takes an attempt back that gave nothing to guess from. */
  takeBack(loginKey: string | undefined, address: string): Promise<void>;
}

export type ThrottleStatus =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly by: 'account' | 'address'; readonly retryAfterSeconds: number };

/** How long the attempts are counted together. */
export const throttleWindowMs = 15 * 60_000;
const maxAttempts = { account: 10, address: 30 };

/**
 * Makes the throttle. An account is what was entered, whether it exists or not. The address comes first: from one that
 * is refused, nobody can use up the attempts of accounts.
 */
export const makeSignInThrottle = ({ count, takeBack }: WindowCounter): SignInThrottle => {
  const countFor = async (by: 'account' | 'address', key: string): Promise<ThrottleStatus> => {
    const { points, leftMs } = await count(key);
    if (points <= maxAttempts[by]) return { accepted: true };
    const seconds = Math.ceil(leftMs / 1000);
    return {
      accepted: false,
      by,
      retryAfterSeconds: Math.min(Math.max(1, seconds), throttleWindowMs / 1000),
    };
  };
  return {
    count: async (loginKey, address) => {
      const status = await countFor('address', addressKey(address));
      return status.accepted && loginKey !== undefined ? countFor('account', accountKey(loginKey)) : status;
    },
    takeBack: async (loginKey, address) => {
      await takeBack(addressKey(address));
      if (loginKey !== undefined) await takeBack(accountKey(loginKey));
    },
  };
};

/** Hashed, because what was entered may be long, and may be a password. */
const accountKey = (loginKey: string): string => `sign-in:account:${hash('sha256', loginKey, 'hex')}`;

/** Whoever has an IPv6 address has a whole network of them. */
const addressKey = (address: string): string => `sign-in:address:${networkOf(toStoredLine(address, 100))}`;
