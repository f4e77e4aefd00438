import { toLabel } from '../lib/label.js';
import { Refusal } from '../errors/problem.js';
import type { System } from '../lib/system.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import type { ApiKeyTable, Scope, StoredApiKey } from './apiKeyTable.js';
import { generateApiKey } from './apiKeys.js';

/** The name of a demo's key and controller. */
export const demoName = 'voucherd demo';

export const maxRateLimit = 1_000_000;

/** A key as administrators see it: without its hash. */
export interface KeyInfo extends Omit<StoredApiKey, 'hash'> {
  readonly state: 'valid' | 'expired' | 'revoked';
}

/** The settings of a new key. */
export interface KeyInput {
  readonly name: string;
  readonly scope: Scope;
  /** Requests per minute; 0 is no limit. */
  readonly rateLimit: number;
  readonly expiresAt: number | null;
}

/** Creates and revokes keys. All throw `Refusal`, and then nothing has changed. */
export interface KeyAdministration {
  /** All keys, the oldest first. */
  list(): Promise<KeyInfo[]>;
  /** The secret is the key itself, which is stored nowhere. */
  create(input: KeyInput, actor: Actor): Promise<{ readonly key: KeyInfo; readonly secret: string }>;
  /** Does nothing to a key that is revoked already. */
  revoke(id: number, actor: Actor): Promise<void>;
  /** Revokes the keys that begin like this, and returns how many. */
  revokeByPrefix(prefix: string, actor: Actor): Promise<number>;
  /** Undoes a revocation, for one minute. */
  restore(id: number, actor: Actor): Promise<void>;
}

const restoreMs = 60_000;

export const makeKeyAdministration = (table: ApiKeyTable, system: System): KeyAdministration => {
  const find = async (id: number): Promise<StoredApiKey> => {
    const key = await table.find(id);
    if (!key) throw new Refusal('unknown-key', 'there is no such key', 'missing');
    return key;
  };
  return {
    list: async () => {
      const now = system.now();
      return (await table.all()).map((key) => toKeyInfo(key, now));
    },
    create: async (given, actor) => {
      const at = system.now();
      const input = checkKeyInput(given, at);
      const { key: secret, prefix, hash } = generateApiKey(system);
      const { scope, rateLimit, expiresAt } = input;
      const detail = {
        scope,
        rateLimit,
        ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
      };
      const id = await table.add(
        { ...input, prefix, hash, createdAt: at },
        draftAudit(actor, 'key.create', at, detail),
      );
      return { secret, key: toKeyInfo(await find(id), at) };
    },
    revoke: async (id, actor) => {
      const at = system.now();
      if ((await table.revoke(id, at, draftAudit(actor, 'key.revoke', at))) === 0) await find(id);
    },
    revokeByPrefix: (prefix, actor) => {
      const at = system.now();
      return table.revoke(prefix, at, draftAudit(actor, 'key.revoke', at));
    },
    restore: async (id, actor) => {
      const at = system.now();
      // The clock may have been set back since.
      const revoked = { from: at - restoreMs, to: at + restoreMs };
      if (await table.restore(id, revoked, draftAudit(actor, 'key.restore', at))) return;
      const { revokedAt } = await find(id);
      throw revokedAt === null
        ? new Refusal('key-not-revoked', 'this key is not revoked')
        : new Refusal('restore-too-late', 'a key can be restored for one minute after it was revoked');
    },
  };
};

/** What a new key has to be. Throws `Refusal`. */
export const checkKeyInput = (input: KeyInput, now: number): KeyInput => {
  const name = toLabel(input.name);
  if (name === demoName) throw new Refusal('name-reserved', 'keys of that name end with the demo');
  const { expiresAt } = input;
  if (expiresAt !== null && !(expiresAt > now))
    throw new Refusal('expiry-past', 'a time in the future, such as 2027-12-31', 'invalid');
  return { ...input, name };
};

const toKeyInfo = ({ hash: _, ...key }: StoredApiKey, now: number): KeyInfo => ({
  ...key,
  state:
    key.revokedAt !== null ? 'revoked' : key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'valid',
});
