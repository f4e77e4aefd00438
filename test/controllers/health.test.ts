import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeControllerHealth } from '../../src/controllers/health.js';
import { makeControllerRegistry } from '../../src/controllers/registry.js';
import { sealCredentials } from '../../src/secrets/encryption.js';
import { startTestConsole, type TestConsole } from '../support/unifiConsole.js';
import { someControllerDeps } from '../support/controllerDeps.js';

let unifi: TestConsole;
beforeAll(async () => {
  unifi = await startTestConsole();
});
afterAll(() => unifi.console.stop());

const deps = someControllerDeps();
const registry = makeControllerRegistry(deps);
afterAll(() => registry.close());

test('health follows the calls, until the circuit breaker opens', async () => {
  const { credentials, ...spec } = { ...unifi.local, id: 7 };
  const sealedCredentials = sealCredentials(deps.secrets(), spec, credentials)(spec.id);
  expect(registry.stateOf(7)).toMatchObject({ state: 'unknown' });
  const controller = registry.get({ ...spec, sealedCredentials });
  expect(registry.stateOf(7)).toEqual({
    state: 'unknown',
    lastError: null,
    calls: 0,
    failures: 0,
    latencyMs: null,
  });
  await controller.probe();
  expect(registry.stateOf(7)).toMatchObject({ state: 'ok', calls: 1, latencyMs: expect.any(Number) });
  const order = {
    controllerSite: null,
    name: 'x',
    reference: 'x',
    expireMinutes: 0,
    down: 0,
    up: 0,
    quotaMb: 0,
  };
  await expect(controller.create({ ...order, maxUses: 1 }, 1)).rejects.toThrow();
  // A value that the controller does not take says nothing about the controller.
  expect(registry.stateOf(7)).toMatchObject({ state: 'ok', calls: 2, failures: 0 });
  await unifi.console.stop();
  await expect(controller.probe()).rejects.toThrow();
  expect(registry.stateOf(7)).toMatchObject({
    state: 'failing',
    failures: 1,
    lastError: { code: 'failed', values: { failureDetail: { code: 'unreachable-refused' } } },
  });
  for (let call = 0; call < 4; call += 1) await expect(controller.probe()).rejects.toThrow();
  expect(registry.stateOf(7)).toMatchObject({ state: 'open', calls: 7, failures: 5 });
  // What the circuit breaker keeps back is no call.
  await expect(controller.probe()).rejects.toThrow();
  expect(registry.stateOf(7)).toMatchObject({ calls: 7 });
});

test('a controller whose credentials can not be opened is failing', () => {
  const stored = { id: 8, name: 'x', kind: 'unifi', settings: {}, sealedCredentials: 'v2:AAAA' };
  expect(() => registry.get(stored)).toThrow();
  expect(registry.stateOf(8)).toMatchObject({
    state: 'failing',
    calls: 0,
    lastError: { code: 'credentials-sealed' },
  });
  registry.keepOnly([]);
  expect(registry.stateOf(8)).toMatchObject({ state: 'unknown' });
});

test('the time of the last sync is what all processes have stored, read once for many', async () => {
  const asked: (readonly number[])[] = [];
  const { healthOf } = makeControllerHealth(registry, async (ids) => {
    asked.push(ids);
    return ids.map((id) => (id === 1 ? 4711 : null));
  });
  const found = await Promise.all([healthOf(1), healthOf(2)]);
  expect(found.map(({ lastSyncAt }) => lastSyncAt)).toEqual([4711, null]);
  expect(asked).toEqual([[1, 2]]);
});
