import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FaultKind } from '../../../simulators/unifi/faults.js';
import type { Controller } from '../../../src/controllers/controller.js';
import { makeUnifi } from '../../../src/controllers/unifi/unifi.js';
import { someOrder } from '../../conformance/controller.js';
import { startTestConsole, type TestConsole } from '../../support/unifiConsole.js';
import { until } from '../../support/until.js';
import { errorOf } from '../https/target.js';

let own: TestConsole;
let controller: Controller;
const posts = (): number => own.console.counts.byRoute['POST vouchers'] ?? 0;
beforeEach(async () => {
  own = await startTestConsole();
  controller = makeUnifi({ ...own.local, ...own.surroundings });
});
afterEach(async () => {
  await controller.close();
  await own.console.stop();
});

test('down is what the guest receives, up what he sends', async () => {
  await controller.create(
    someOrder({ down: 5000, up: 2000, quotaMb: 100, maxUses: 3, expireMinutes: 60 }),
    1,
  );
  expect(own.console.vouchers()).toEqual([
    expect.objectContaining({ down: 5000, up: 2000, quotaMb: 100, limit: 3, minutes: 60 }),
  ]);
});

test('200 orders over a warm connection are 200 calls over at most as many connections as are allowed', async () => {
  await controller.create(someOrder(), 1);
  own.console.resetCounts();
  const orders = Array.from({ length: 200 }, () => controller.create(someOrder(), 1));
  expect((await Promise.all(orders)).flat()).toHaveLength(200);
  const { calls, handshakes, mostOpen, byRoute } = own.console.counts;
  expect(byRoute).toEqual({ 'POST vouchers': 200 });
  expect(calls).toBe(200);
  // One was open already.
  expect(handshakes).toBeLessThanOrEqual(3);
  expect(mostOpen).toBeLessThanOrEqual(4);
});

test('one order after the other needs one connection', async () => {
  for (let ordered = 0; ordered < 10; ordered += 1) await controller.create(someOrder(), 1);
  expect(own.console.counts.handshakes).toBe(1);
});

test('the site is looked up once, however many orders wait for it', async () => {
  await Promise.all(Array.from({ length: 20 }, () => controller.create(someOrder(), 1)));
  expect(own.console.counts.byRoute).toEqual({ 'GET sites': 1, 'POST vouchers': 20 });
});

test('a value outside of the bounds costs no call', async () => {
  await errorOf(controller.create(someOrder({ down: 1 }), 1));
  await errorOf(controller.create(someOrder(), 1001));
  expect(own.console.counts.calls).toBe(0);
});

describe('the outcome of an order is unknown, and it is not ordered again,', () => {
  test.each<[what: string, kind: FaultKind, made: number]>([
    ['when the connection breaks before the voucher is made', 'reset-before', 0],
    ['when the connection breaks after the voucher is made', 'reset-after', 1],
    ['when a proxy answers instead of the controller', 'bad-gateway', 0],
    ['when the answer is cut off', 'truncated', 1],
  ])('%s', async (_, kind, made) => {
    own.console.fault({ kind });
    expect(await errorOf(controller.create(someOrder(), 1))).toMatchObject({ name: 'OutcomeUnknown' });
    expect(own.console.vouchers()).toHaveLength(made);
    expect(posts()).toBe(1);
  });

  test.each<[what: string, kind: FaultKind, made: number]>([
    ['when the controller does not answer', 'hang', 0],
    ['when the controller answers too late', 'slow', 1],
  ])('%s', async (_, kind, made) => {
    own.console.fault({ kind, delayMs: 600_000 });
    const abort = new AbortController();
    const error = errorOf(controller.create(someOrder(), 1, abort.signal));
    await until('the order has arrived', () => posts() === 1 && own.console.vouchers().length === made);
    abort.abort();
    expect(await error).toMatchObject({ name: 'OutcomeUnknown' });
  });
});

describe('a controller that is asked too often', () => {
  test('is asked once more after a while', async () => {
    own.console.fault({ kind: 'throttled', times: 1 });
    expect(await controller.create(someOrder(), 1)).toHaveLength(1);
    expect(posts()).toBe(2);
  });

  test('is not asked a third time, and has made nothing', async () => {
    own.console.fault({ kind: 'throttled' });
    expect(await errorOf(controller.create(someOrder(), 1))).toMatchObject({
      name: 'ControllerError',
      code: 'throttled',
    });
    expect(posts()).toBe(2);
    expect(own.console.vouchers()).toEqual([]);
  });
});

test('a key that may only read makes nothing', async () => {
  const { console, local, surroundings } = await startTestConsole({ readOnly: true });
  const reader = makeUnifi({ ...local, ...surroundings });
  expect(await errorOf(reader.create(someOrder(), 1))).toMatchObject({
    name: 'ControllerError',
    code: 'permission',
  });
  await reader.close();
  await console.stop();
});
