import { demoName } from '../../../src/apiKeys/keyAdministration.js';
import { runActor, type Administration } from '../local/administration.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { inPath, scenario, withBody, withNew } from './preparing.js';

const addKey = async ({ keys }: Administration): Promise<number> => {
  const { key } = await keys.create(
    { name: 'Contract', scope: 'read', rateLimit: 0, expiresAt: null },
    runActor,
  );
  return key.id;
};

export const createKeyHints: OperationHints = {
  refusedWith: ['name-invalid', 'expiry-past'],
  neverShown: { fields: /^201 key\.usage\[\]/, because: 'a new key has not been used' },
  scenarios: {
    409: scenario('with the name of the key of demos', ({ sample }) => withBody(sample, { name: demoName })),
  },
};

export const revokeKeyHints: OperationHints = { prepare: withNew('keyId', addKey), softDelete: true };

export const restoreKeyHints: OperationHints = {
  prepare: withNew('keyId', async (administration) => {
    const id = await addKey(administration);
    await administration.keys.revoke(id, runActor);
    return id;
  }),
  scenarios: {
    409: scenario('for a key that is not revoked', async ({ administration, sample }) =>
      inPath(sample, 'keyId', await addKey(administration)),
    ),
  },
};
