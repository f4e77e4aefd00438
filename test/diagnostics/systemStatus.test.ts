import { expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/config.js';
import { withApi } from '../support/api.js';
import { nodeSystem } from '../../src/lib/system.js';
import { makeGetSystemStatus } from '../../src/diagnostics/systemStatus.js';

const api = withApi({ key: false });

test('a part that is silent or fails is a finding of its own, and holds nothing up', async () => {
  const { tables, database } = api.app;
  const getSystemStatus = makeGetSystemStatus({
    config: readConfig({ DATA_DIR: api.dataDir, NODE_ENV: 'test' }),
    database,
    tables: {
      ...tables,
      webhooks: { ...tables.webhooks, all: () => Promise.reject(new Error('no answer')) },
    },
    health: { healthOf: () => new Promise(() => undefined) },
    system: nodeSystem,
    migrations: 1,
    secrets: () => {
      throw new Error('not needed');
    },
    mailServer: { view: () => Promise.reject(new Error('no answer')) },
    smsProvider: { view: () => Promise.reject(new Error('no answer')) },
    identityProvider: { view: () => Promise.reject(new Error('no answer')) },
    // Long enough for the parts that answer, on a busy machine too.
    timeoutMs: 5000,
  });
  const { findings } = await getSystemStatus();
  const unchecked = findings.filter(({ message }) => message.code === 'not-checked');
  expect(unchecked.map(({ check }) => check)).toEqual([
    'email',
    'sms',
    'single-sign-on',
    'controller',
    'webhooks',
  ]);
  expect(findings.find(({ check }) => check === 'keys')).toMatchObject({ message: { code: 'keys-none' } });
});
