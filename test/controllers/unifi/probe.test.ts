import { afterEach, describe, expect, test } from '@jest/globals';
import type { ConsoleOptions } from '../../../simulators/unifi/settings.js';
import type { Controller, ProbeStep } from '../../../src/controllers/controller.js';
import { checkControllerSettings, requiredCredentials } from '../../../src/controllers/kinds.js';
import { makeControllerRegistry } from '../../../src/controllers/registry.js';
import { makeUnifi, type UnifiOptions } from '../../../src/controllers/unifi/unifi.js';
import { sealCredentials } from '../../../src/secrets/encryption.js';
import { testCases } from '../../support/cases.js';
import { startTestConsole, type TestConsole } from '../../support/unifiConsole.js';
import { errorOf } from '../https/target.js';
import { startScripted } from './scriptedConsole.js';

let own: TestConsole | undefined;
let controller: Controller;
const close = async (): Promise<void> => {
  if (!own) return;
  await controller.close();
  await own.console.stop();
  own = undefined;
};
const open = async (
  options: ConsoleOptions,
  change: (test: TestConsole) => Partial<UnifiOptions> = () => ({}),
): Promise<void> => {
  await close();
  own = await startTestConsole(options);
  controller = makeUnifi({ ...own.local, ...own.surroundings, ...change(own) });
};
afterEach(() => close());

const failedProbe = async (): Promise<{ steps: ProbeStep[]; error: unknown }> => {
  const steps: ProbeStep[] = [];
  const error = await errorOf(controller.probe((step) => steps.push(step)));
  return { steps, error };
};

test('it tells the version', async () => {
  await open({ version: '9.1.120' });
  expect(await controller.probe()).toEqual({
    version: '9.1.120',
    sites: [{ id: 'default', name: 'Default' }],
  });
});

testCases(['9.0.99', '9.1.119', '8.6.9'])(
  'a version that is too old is refused, and it says which is needed',
  async (version) => {
    await open({ version });
    const { steps, error } = await failedProbe();
    expect(steps).toEqual(['connected', 'signed-in']);
    expect(error).toMatchObject({ name: 'ControllerError', code: 'refused' });
    expect((error as Error).message).toContain(version);
    expect((error as Error).message).toContain('9.1.120');
  },
);

testCases(['unifi-os', 'self-hosted'] as const)(
  'a wrong key is found out on every variant',
  async (variant) => {
    await open({ variant }, () => ({ credentials: { apiKey: 'falsch' } }));
    const { steps, error } = await failedProbe();
    expect(steps).toEqual(['connected']);
    expect(error).toMatchObject({ code: 'credentials' });
  },
);

test('the key of the console is none for the cloud', async () => {
  await open({}, ({ local, cloud }) => ({ settings: cloud.settings, credentials: local.credentials }));
  const { steps, error } = await failedProbe();
  expect(steps).toEqual(['connected']);
  expect(error).toMatchObject({ code: 'credentials' });
});

test('a certificate that is not trusted is found out before anything else', async () => {
  await open({}, ({ local }) => ({ settings: { url: local.settings['url'] } }));
  const { steps, error } = await failedProbe();
  expect(steps).toEqual([]);
  expect(error).toMatchObject({
    code: 'certificate',
    failure: { fingerprint: own!.console.fingerprint },
  });
});

test('an address under which something else answers is found out', async () => {
  const scripted = await startScripted(() => ({ status: 404, body: '<html>' }));
  const steps: ProbeStep[] = [];
  const error = await errorOf(scripted.controller.probe((step) => steps.push(step)));
  expect(steps).toEqual(['connected']);
  expect(error).toMatchObject({
    code: 'unreadable',
    failure: { reason: 'no-integration-api', needed: '9.1.120' },
  });
  await scripted.stop();
});

test('a redirect is not followed', async () => {
  const elsewhere = await startScripted(() => ({ body: { applicationVersion: '10.5.66' } }));
  await open({ redirect: elsewhere.target.url });
  const { error } = await failedProbe();
  expect(error).toMatchObject({ code: 'unreadable', failure: { reason: 'redirect' } });
  expect(elsewhere.target.connections).toBe(0);
  await elsewhere.stop();
});

describe('the registry', () => {
  test('makes such a controller of what is stored', async () => {
    await open({});
    const { local, surroundings } = own!;
    const registry = makeControllerRegistry(surroundings);
    const sealedCredentials = sealCredentials(surroundings.secrets(), local, local.credentials)(local.id);
    const { version } = await registry.get({ ...local, sealedCredentials }).probe();
    expect(version).toBe('10.5.66');
    await registry.close();
  });

  test('knows which secret it needs', () => {
    expect(Object.keys(requiredCredentials('unifi'))).toEqual(['apiKey']);
  });

  test('refuses settings that can not be used', () => {
    expect(() => checkControllerSettings({ kind: 'unifi', settings: { url: 'http://192.168.1.1' } })).toThrow(
      'url: http://192.168.1.1/ is not allowed',
    );
  });
});

testCases([
  ['', 'api-key: is missing'],
  ['  ', 'api-key: is missing'],
  ['zwei Wörter', 'api-key: holds characters that no key has'],
])('a key that no header can carry is refused', async (apiKey, message) => {
  await open({});
  expect(() => makeUnifi({ ...own!.local, ...own!.surroundings, credentials: { apiKey } })).toThrow(message);
});

test('a line break behind the key is not part of it', async () => {
  await open({}, ({ local }) => ({ credentials: { apiKey: `${local.credentials['apiKey']}\n` } }));
  expect((await controller.probe()).version).toBe('10.5.66');
});
