import { beforeEach, describe, expect, test } from '@jest/globals';
import { startUnifiConsole } from '../../simulators/unifi/console.js';
import type { FaultKind } from '../../simulators/unifi/faults.js';
import { forEachTest } from '../support/fixture.js';
import { logIn, makeConsoleClient, type Answer } from './consoleClient.js';

let classic: Record<string, string>;
let vouchers: string;
const running = forEachTest(startUnifiConsole, 'stop');
beforeEach(async () => {
  classic = await logIn(running, 'unifi-os');
  const sites = await makeConsoleClient(running)(
    'GET',
    '/proxy/network/integration/v1/sites',
    undefined,
    key(),
  );
  vouchers = `/proxy/network/integration/v1/sites/${sites.json.data[0].id as string}/hotspot/vouchers`;
});

const key = (): Record<string, string> => ({ 'x-api-key': running.apiKey });
const creating: Readonly<Record<string, () => Promise<Answer>>> = {
  classic: () =>
    makeConsoleClient(running)(
      'POST',
      '/proxy/network/api/s/default/cmd/hotspot',
      { cmd: 'create-voucher', n: 1, quota: 1, expire: 480 },
      classic,
    ),
  integration: () =>
    makeConsoleClient(running)('POST', vouchers, { name: 'Gast', timeLimitMinutes: 480 }, key()),
};

describe.each(Object.entries(creating))('creating by the %s API', (_api, create) => {
  const created = (): number => running.vouchers().length;

  test('wrong-json creates and answers a success of another shape', async () => {
    const { status } = await create();
    running.fault({ kind: 'wrong-json' });
    const wrong = await create();
    expect(wrong.status).toBe(status);
    expect(wrong.json).toEqual({ status: 'success', result: { items: [] } });
    expect(created()).toBe(2);
  });
});

test('a fault strikes as often as requested, and then no more', async () => {
  running.fault({ kind: 'throttled', times: 2 });
  const statuses = [];
  for (const _call of [1, 2, 3]) statuses.push((await creating['integration']!()).status);
  expect(statuses).toEqual([429, 429, 201]);
});

test('a fault lasts until it is taken back', async () => {
  running.fault({ kind: 'throttled' });
  for (const _call of [1, 2, 3]) expect((await creating['integration']!()).status).toBe(429);
  running.fault(undefined);
  expect((await creating['integration']!()).status).toBe(201);
});

test('a fault strikes creating only, unless all is said, and never a login', async () => {
  const list = async (): Promise<number> =>
    (await makeConsoleClient(running)('GET', vouchers, undefined, key())).status;
  running.fault({ kind: 'bad-gateway' });
  expect(await list()).toBe(200);
  running.fault({ kind: 'bad-gateway', on: 'all' });
  expect(await list()).toBe(502);
  await logIn(running, 'unifi-os');
  expect(running.counts.logins).toBe(2);
});

test.each<FaultKind>(['reset-after', 'wrong-json', 'truncated', 'slow'])(
  '%s is not used up by a call that was refused and created nothing',
  async (kind) => {
    running.fault({ kind, times: 1, delayMs: 1 });
    const refused = await makeConsoleClient(running)('POST', vouchers, { name: 'Gast' }, key());
    expect([refused.status, refused.json.statusName]).toEqual([400, 'BAD_REQUEST']);
    if (kind === 'wrong-json') expect((await creating['integration']!()).json).not.toHaveProperty('vouchers');
    else if (kind === 'slow') expect((await creating['integration']!()).status).toBe(201);
    else await expect(creating['integration']!()).rejects.toThrow();
    expect((await creating['integration']!()).json).toHaveProperty('vouchers');
  },
);
