import { draftAudit } from '../../../src/audit/audit.js';
import { nodeSystem } from '../../../src/lib/system.js';
import { goodSample } from '../../../tools/contract/src/target/scenarioContext.js';
import type { OperationHints } from '../../../tools/contract/src/target/target.js';
import { runActor, type Administration } from '../local/administration.js';
import { bodyOf, ownScenario, scenario, sendAsIs, withBody } from './preparing.js';

/** The mail server of the run, which the environment sets. */
const runServer = {
  host: '127.0.0.1',
  port: 1,
  security: 'opportunistic',
  user: null,
  password: undefined,
  from: 'contract@example.org',
};

const refusedWith = ['setting-fixed', 'host-invalid', 'sender-invalid', 'email-invalid'];

export const setMailServerHints: OperationHints = {
  refusedWith,
  prepare: (sample, context) => {
    const example = goodSample(context);
    return Promise.resolve(sample.body === example.body ? withBody(sample, runServer) : sample);
  },
  scenarios: {
    409: scenario('with another server than the environment sets', ({ sample }) =>
      withBody(sample, { ...runServer, port: 2 }),
    ),
  },
};

export const testMailServerHints: OperationHints = {
  refusedWith,
  maxSamples: 10,
  prepare: (sample, context) => {
    const example = goodSample(context);
    return Promise.resolve(
      sample.body === example.body ? withBody(sample, { ...bodyOf(example), server: runServer }) : sample,
    );
  },
  scenarios: {
    409: scenario('with another server than the environment sets', ({ sample }) =>
      withBody(sample, { server: { ...runServer, port: 2 } }),
    ),
  },
};

const audit = () => draftAudit(runActor, 'setting.mail', nodeSystem.now());
const store = ({ tables }: Administration) =>
  tables.connections.save('mail', { from: 'contract@example.org' }, null, audit());

export const deleteMailServerHints: OperationHints = {
  prepare: async (sample, { target }) => {
    if (target.fixture) await store(target.fixture.administration());
    return sample;
  },
  scenarios: {
    404: ownScenario('while none is stored', async ({ administration, sample, key, context }) => {
      await administration.tables.connections.remove('mail', audit());
      return sendAsIs(context, sample, key);
    }),
  },
};
