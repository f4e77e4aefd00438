import { setMaxListeners } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import type { Controller } from '../../src/controllers/controller.js';
import { makeUnifi } from '../../src/controllers/unifi/unifi.js';
import { makeUnifiClassic } from '../../src/controllers/unifiClassic/unifiClassic.js';
import { collectVouchers, someOrder } from '../conformance/controller.js';
import { startTestConsole, type TestConsole } from '../support/unifiConsole.js';
import { until } from '../support/until.js';
import { errorOf } from './https/target.js';

let own: TestConsole;
let controller: Controller;
afterEach(async () => {
  await controller.close();
  await own.console.stop();
});

const routes = { unifi: 'POST vouchers', 'unifi-classic': 'POST cmd/hotspot create-voucher' };

test.each([
  ['unifi', 1],
  ['unifi', 4],
  ['unifi', 16],
  ['unifi-classic', 1],
  ['unifi-classic', 4],
  ['unifi-classic', 16],
] as const)(
  'a console that hangs costs one round of orders, and no second one (%s, %i at a time)',
  async (kind, maxCalls) => {
    own = await startTestConsole();
    const spec = kind === 'unifi' ? own.local : own.classic;
    const options = { ...spec, ...own.surroundings, settings: { ...spec.settings, maxCalls } };
    controller = kind === 'unifi' ? makeUnifi(options) : makeUnifiClassic(options);
    // Signed in, and its sites known.
    expect(await collectVouchers(controller)).toEqual([]);
    own.console.fault({ kind: 'hang', on: 'all' });
    own.console.resetCounts();
    const sent = (): number => own.console.counts.byRoute[routes[kind]] ?? 0;
    const order = (signal?: AbortSignal) => errorOf(controller.create(someOrder(), 1, signal));

    const deadline = new AbortController();
    setMaxListeners(0, deadline.signal);
    const round = Array.from({ length: maxCalls }, () => order(deadline.signal));
    await until('a whole round is in flight', () => sent() === maxCalls);
    const next = Array.from({ length: 2 * maxCalls }, () => order());
    deadline.abort();
    for (const error of await Promise.all(round))
      expect(error).toMatchObject({ name: 'OutcomeUnknown', code: 'timeout' });
    // These have a minute left, and do not need it.
    for (const error of await Promise.all(next))
      expect(error).toMatchObject({ name: 'ControllerError', code: 'circuit-open' });
    expect(sent()).toBe(maxCalls);
  },
);
