import { draftAudit } from '../../../src/audit/audit.js';
import { nodeSystem } from '../../../src/lib/system.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import { runActor } from '../local/administration.js';
import { optional, ownScenario, scenario, sendAsIs, withBody } from './preparing.js';

const refusedWith = [
  ...['client-secret-required', 'host-invalid', 'server-address-refused', 'single-sign-on-issuer-invalid'],
  ...['single-sign-on-issuer-shared', 'single-sign-on-domains-invalid', 'single-sign-on-domains-unused'],
];
const audit = () => draftAudit(runActor, 'setting.single-sign-on', nodeSystem.now());
/** Nothing is asked there: the machine refuses the connection. */
const nowhere = { issuer: 'http://127.0.0.1:1' };

const withoutSecret = scenario('without a secret', ({ sample }) =>
  withBody(sample, { ...nowhere, clientSecret: undefined, emailProof: null }),
);

const neverShown = { fields: /^200 fixed\[\]/, because: 'the environment of a run sets no provider' };

export const getIdentityProviderHints: OperationHints = { neverShown };

export const setIdentityProviderHints: OperationHints = {
  neverShown,
  shownAs: {
    ...{ name: optional, roleClaim: optional, adminValue: optional, viewerValue: optional },
    emailDomains: optional,
  },
  refusedWith: [...refusedWith, 'changed-meanwhile'],
  // A run signs nobody in there.
  prepare: async (sample, { target }) => {
    await target.fixture?.administration().tables.connections.remove('single-sign-on', audit());
    return sample;
  },
  scenarios: {
    409: scenario('where something else was stored before', ({ sample }) =>
      withBody(sample, { emailProof: null, before: { issuer: 'https://other.example.org' } }),
    ),
  },
};

export const testIdentityProviderHints: OperationHints = {
  refusedWith,
  maxSamples: 3,
  prepare: (sample, context) =>
    Promise.resolve(sample.body === goodSample(context).body ? withBody(sample, nowhere) : sample),
  scenarios: {
    200: scenario('of a provider that is not there', ({ sample }) => withBody(sample, nowhere)),
    409: withoutSecret,
  },
};

export const deleteIdentityProviderHints: OperationHints = {
  prepare: async (sample, { target }) => {
    await target.fixture?.administration().tables.connections.save('single-sign-on', {}, null, audit());
    return sample;
  },
  scenarios: {
    404: ownScenario('while none is stored', async ({ administration, sample, key, context }) => {
      await administration.tables.connections.remove('single-sign-on', audit());
      return sendAsIs(context, sample, key);
    }),
  },
};
