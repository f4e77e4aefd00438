import { type Excuse, type Key, type Keys, type LimitedKeys, scopePermits } from '../keys.js';
import type { PacedClient } from './pacedClient.js';

interface RemoteKeys {
  readonly write: Key | undefined;
  readonly read: Key | undefined;
  readonly limited: Key | undefined;
}

/** A higher limit is not used up for a test. */
const highestLimit = 100;

/** The keys for a remote service: those of the command line, and excuses for missing ones. */
export const makeRemoteKeys = ({ write, read, limited }: RemoteKeys, { left }: PacedClient): Keys => {
  const given = [read, write].filter((key) => key !== undefined);
  return {
    permitting: (scope) =>
      given.find((key) => scopePermits(key.scope, scope)) ??
      (scopePermits('read', scope)
        ? { excuse: 'needs --read-key or --key' }
        : { excuse: 'needs --key, a key with the scope write' }),
    lacking: (scope) =>
      scopePermits('read', scope)
        ? { excuse: `every key may do what needs the scope ${scope ?? 'none'}` }
        : (read ?? { excuse: 'needs --read-key, a key with the scope read' }),
    unlimited: (scope) =>
      given.find((key) => key.limit === 0 && scopePermits(key.scope, scope)) ?? {
        excuse: 'needs a key without a limit',
      },
    limited: () => limitedKeys(limited, left),
    revoked: () => ({ excuse: 'needs a revoked key: only a service of the run has one' }),
    expired: () => ({ excuse: 'needs an expired key: only a service of the run has one' }),
    all: () => [...given, ...(limited ? [limited] : [])],
  };
};

const limitedKeys = (key: Key | undefined, left: PacedClient['left']): LimitedKeys | Excuse => {
  if (!key) return { excuse: 'needs --limited-key, a key whose limit may be used up' };
  if (key.limit === 0) return { excuse: 'needs a limit: --limited-key has none' };
  if (key.limit > highestLimit) {
    return { excuse: `needs a smaller limit: --limited-key allows ${key.limit} requests a minute` };
  }
  return {
    any: async () => key,
    open: async () => ({ key, left: await left(key) }),
    most: key.limit,
    same: true,
  };
};
