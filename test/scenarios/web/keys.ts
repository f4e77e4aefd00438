import { demoName } from '../../../src/apiKeys/keyAdministration.js';
import { runActor, type Administration } from '../local/administration.js';
import { jsonFields, jsonList } from '../../../tools/contract/src/json.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import {
  askOther,
  fieldFaults,
  followedScenario,
  inPath,
  scenario,
  sendAsIs,
  withBody,
  withNew,
} from './preparing.js';

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

export const revokeKeyHints: OperationHints = {
  softDelete: true,
  prepare: withNew('keyId', addKey),
  moreScenarios: {
    204: followedScenario(
      'and lists it as revoked',
      async ({ administration, sample, key, context }) =>
        sendAsIs(context, inPath(sample, 'keyId', await addKey(administration)), key),
      async ({ key, context }, { request }) => {
        const id = Number(request.requestTarget.split('/').at(-1));
        const listed = jsonList((await askOther(context, 'listKeys', key))?.['keys']).map(jsonFields);
        return fieldFaults(
          'a revoked key',
          listed.find((one) => one['id'] === id),
          { state: 'revoked' },
        );
      },
    ),
  },
};

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
