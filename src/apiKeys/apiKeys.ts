import { hash, timingSafeEqual } from 'node:crypto';
import type { Awaitable } from '../lib/awaitable.js';
import { groupBy } from '../lib/collections.js';
import type { Log } from '../log/log.js';
import type { System } from '../lib/system.js';
import type { ApiKeyTable, Scope, StoredApiKey } from './apiKeyTable.js';
import type { Revisions } from '../database/revisions.js';

/** The API key of a request. */
export interface ApiKey {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly scope: Scope;
  readonly rateLimit: number;
}

const keyFormat = /^uvt_([0-9a-f]{8})[0-9a-f]{32}$/;

/** In hexadecimal digits: Node needs twice as long for a hash that it returns as a buffer. */
const hashOf = (key: string): string => hash('sha256', key, 'hex');

/** Generates a key. The key itself is never stored. */
export const generateApiKey = (system: System): { key: string; prefix: string; hash: string } => {
  const prefix = system.randomBytes(4).toString('hex');
  const key = `uvt_${prefix}${system.randomBytes(16).toString('hex')}`;
  return { key, prefix, hash: hashOf(key) };
};

/** What a key is called in the log: the part of it that is not secret. */
export const prefixOf = ({ prefix }: Pick<ApiKey, 'prefix'>): string => prefix;

/** Whether a key has a scope; `write` includes `read`. */
export const hasScope = ({ scope }: Pick<ApiKey, 'scope'>, needed: string): boolean =>
  scope === needed || (scope === 'write' && needed === 'read');

export interface ApiKeyCache {
  /** The valid key with this text, if there is one. */
  find(text: string): Awaitable<ApiKey | undefined>;
  /** Loads the keys if they have changed. */
  load(): Promise<void>;
  /** Starts looking for changes by other processes. */
  watch(): void;
  stop(): Promise<void>;
}

export interface ApiKeyCacheOptions {
  table: ApiKeyTable;
  revisions: Revisions;
  system: System;
  log: Log;
}

/** A key that another process revokes is refused within a second. */
const refreshIntervalMs = 500;

interface CachedApiKey extends ApiKey {
  /** Its digits, for `timingSafeEqual`. */
  readonly hash: Buffer;
  readonly expiresAt: number;
  noted: number;
}

/** Caches the keys by prefix. For an unknown key the cache is refreshed once: the key may be new. */
export const makeApiKeyCache = ({ table, revisions, system, log }: ApiKeyCacheOptions): ApiKeyCache => {
  let byPrefix = new Map<string, CachedApiKey[]>();
  let revision = -1;
  let timer: NodeJS.Timeout | undefined;
  let refreshing: Promise<void> = Promise.resolve();

  const read = async (current: number): Promise<void> => {
    const noted = new Map([...byPrefix.values()].flat().map((key) => [key.id, key.noted]));
    const keys = (await table.usable()).map((key) => toCachedApiKey(key, noted.get(key.id)));
    // A newer revision was loaded meanwhile.
    if (current < revision) return;
    byPrefix = groupBy(keys, ({ prefix }) => prefix);
    revision = current;
  };
  /** However many wait for a revision, it is read once. */
  let reading: { readonly revision: number; readonly done: Promise<void> } | undefined;
  const load = async (current: number): Promise<void> => {
    if (current === revision) return;
    if (reading?.revision !== current) reading = { revision: current, done: read(current) };
    const own = reading;
    try {
      await own.done;
    } finally {
      if (reading === own) reading = undefined;
    }
  };
  const refresh = async (): Promise<void> => load(await revisions.current('keys'));

  const search = (prefix: string, text: string): CachedApiKey | undefined => {
    const hash = Buffer.from(hashOf(text));
    let found: CachedApiKey | undefined;
    for (const key of byPrefix.get(prefix) ?? []) {
      if (timingSafeEqual(key.hash, hash) && system.now() < key.expiresAt) found = key;
    }
    return found;
  };

  const note = (key: CachedApiKey): CachedApiKey => {
    const now = system.now();
    // Also when the clock was set back.
    if (Math.abs(now - key.noted) >= 60_000) {
      key.noted = now;
      table.noteUse(key.id, now).catch((error: unknown) => {
        log.warn({ err: error }, 'last use of a key was not noted');
      });
    }
    return key;
  };

  const searchAgain = async (prefix: string, text: string): Promise<ApiKey | undefined> => {
    await load(await revisions.latest('keys'));
    const key = search(prefix, text);
    return key && note(key);
  };

  const watch = (): void => {
    timer = setTimeout(() => {
      refreshing = refresh()
        .catch((error: unknown) => {
          log.warn({ err: error }, 'keys were not refreshed');
        })
        .finally(watch);
    }, refreshIntervalMs).unref();
  };

  return {
    find: (text) => {
      const prefix = keyFormat.exec(text)?.[1];
      if (prefix === undefined) return undefined;
      const key = search(prefix, text);
      return key ? note(key) : searchAgain(prefix, text);
    },
    load: refresh,
    watch,
    stop: async () => {
      clearTimeout(timer);
      await refreshing;
      clearTimeout(timer);
    },
  };
};

const toCachedApiKey = (key: StoredApiKey, noted: number | undefined): CachedApiKey => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  scope: key.scope,
  rateLimit: key.rateLimit,
  hash: Buffer.from(key.hash.toLowerCase()),
  expiresAt: key.expiresAt ?? Infinity,
  noted: noted ?? key.lastUsedAt ?? 0,
});
