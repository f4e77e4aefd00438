import { generateApiKey } from '../../../src/apiKeys/apiKeys.js';
import { nodeSystem } from '../../../src/lib/system.js';
import type { Scope } from '../../../src/apiKeys/apiKeyTable.js';
import type { CredentialSource } from '../../../tools/contract/src/target/credentialSource.js';

/** The keys of the API. */
export const apiKeys: CredentialSource = {
  onCommandLine: true,
  haveLimits: true,
  neededTables: ['revisions'],
  loadedFirst: true,
  add: async ({ tables }, { scope, limit, revoked = false, expired = false }) => {
    const now = nodeSystem.now();
    const { key, prefix, hash } = generateApiKey(nodeSystem);
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
  },
};
