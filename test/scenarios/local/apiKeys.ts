import { generateApiKey } from '../../../src/apiKeys/apiKeys.js';
import { nodeSystem } from '../../../src/lib/system.js';
import type { Scope } from '../../../src/apiKeys/apiKeyTable.js';
import type {
  CredentialOptions,
  CredentialSource,
} from '../../../tools/contract/src/target/credentialSource.js';
import type { Key } from '../../../tools/contract/src/target/keys.js';
import type { ServiceData } from '../../../tools/contract/src/target/serviceTypes.js';

const addKey = async (
  { tables }: ServiceData,
  { scope, limit, revoked = false, expired = false }: CredentialOptions,
  system = nodeSystem,
): Promise<Key> => {
  const now = system.now();
  const { key, prefix, hash } = generateApiKey(system);
  await tables.apiKeys.add({
    name: 'Contract',
    prefix,
    hash,
    scope: scope as Scope,
    rateLimit: limit,
    createdAt: now,
    expiresAt: expired ? now - 1000 : null,
  });
  if (revoked) await tables.apiKeys.revoke(prefix, now);
  return { text: () => key, scope, limit };
};

/** The bytes of a prefix, by which keys are found. */
const prefixBytes = 4;

/** What stands between `uvt_` and what is secret. */
const prefixOfKey = ({ text }: Key): string => text().slice(4, 4 + 2 * prefixBytes);

/** The keys of the API. */
export const apiKeys: CredentialSource = {
  onCommandLine: true,
  haveLimits: true,
  neededTables: ['revisions'],
  loadedFirst: true,
  add: (data, options) => addKey(data, options),
  revoke: async ({ tables }, key) => {
    await tables.apiKeys.revoke(prefixOfKey(key), nodeSystem.now());
  },
  addAlike: async (data, options) => {
    const prefix = nodeSystem.randomBytes(prefixBytes);
    const system = {
      ...nodeSystem,
      randomBytes: (count: number) => (count === prefixBytes ? prefix : nodeSystem.randomBytes(count)),
    };
    return [await addKey(data, options, system), await addKey(data, options, system)];
  },
};
