import { afterEach, describe, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import type { ConsoleOptions, ConsoleVariant } from '../../simulators/unifi/settings.js';
import { logIn, makeConsoleClient, pathsOf, type Answer } from './consoleClient.js';
import { testCases } from '../support/cases.js';

let running: UnifiConsole;
const started: UnifiConsole[] = [];
afterEach(async () => {
  for (const { stop } of started.splice(0)) await stop();
});

const order = { cmd: 'create-voucher', n: 1, quota: 1, expire: 480, note: '2026-01-02_Gast' };
const startTime = Date.UTC(2026, 0, 2, 10, 0, 0, 700);

describe.each<ConsoleVariant>(['unifi-os', 'self-hosted'])('the classic API, %s', (variant) => {
  let now = startTime;
  const start = async (options: ConsoleOptions = {}) => {
    now = startTime;
    running = await startUnifiConsole({ variant, clock: () => now, ...options });
    started.push(running);
    const headers = await logIn(running, variant);
    const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
      makeConsoleClient(running)(method, pathsOf[variant].network + path, body, headers);
    return {
      call,
      hotspot: (body: unknown) => call('POST', '/api/s/default/cmd/hotspot', body),
      list: async () =>
        (await call('GET', '/api/s/default/stat/voucher')).json.data as Record<string, unknown>[],
    };
  };

  test('creating answers with nothing but the second of the creation, which all vouchers of the batch share', async () => {
    const { hotspot, list } = await start();
    const { status, json } = await hotspot({ ...order, n: 3 });
    expect([status, json]).toEqual([
      200,
      { meta: { rc: 'ok' }, data: [{ create_time: Math.floor(startTime / 1000) }] },
    ]);
    const vouchers = await list();
    expect(vouchers).toHaveLength(3);
    expect(new Set(vouchers.map((voucher) => voucher['create_time'])).size).toBe(1);
    expect(new Set(vouchers.map((voucher) => voucher['code'])).size).toBe(3);
  });

  test('a voucher has the keys of what was asked for, and no others', async () => {
    const { hotspot, list } = await start();
    await hotspot({ cmd: 'create-voucher', n: 1, quota: 0, expire: 60 });
    await hotspot({ ...order, up: 2000, down: 5000, bytes: 1000 });
    const [plain, limited] = await list();
    expect(plain).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      site_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      create_time: Math.floor(startTime / 1000),
      code: expect.stringMatching(/^\d{10}$/),
      duration: 60,
      quota: 0,
      used: 0,
      note: null,
      admin_name: running.username,
      for_hotspot: false,
      status: 'VALID_MULTI',
      status_expires: 0,
      external_id: running.vouchers()[0]!.id,
    });
    expect(limited).toMatchObject({
      note: '2026-01-02_Gast',
      status: 'VALID_ONE',
      qos_overwrite: true,
      qos_rate_max_up: 2000,
      qos_rate_max_down: 5000,
      qos_usage_quota: 1000,
    });
  });

  test('POST stat/voucher gives one batch, or all with an empty filter', async () => {
    const { call, hotspot } = await start();
    await hotspot(order);
    now += 1000;
    await hotspot({ ...order, note: 'later' });
    const listed = async (filter: unknown): Promise<unknown[]> => {
      const { json } = await call('POST', '/api/s/default/stat/voucher', filter);
      return (json.data as Record<string, unknown>[]).map((voucher) => voucher['note']);
    };
    expect(await listed({ create_time: Math.floor(now / 1000) })).toEqual(['later']);
    expect(await listed({})).toEqual(['2026-01-02_Gast', 'later']);
    expect(await listed({ create_time: 1 })).toEqual([]);
  });

  test('a code can not be used by more guests than it is for', async () => {
    const { hotspot } = await start();
    await hotspot({ ...order, quota: 2 });
    const { code } = running.vouchers()[0]!;
    running.use(code, 2);
    expect(() => running.use(code)).toThrow('2 have used it');
    expect(running.vouchers()[0]).toMatchObject({ used: 2 });
  });

  test('days and hours can be given instead of minutes', async () => {
    const { hotspot } = await start();
    const { expire: _expire, ...rest } = order;
    await hotspot({ ...rest, expire_number: 2, expire_unit: 1440 });
    expect(running.vouchers()).toMatchObject([{ minutes: 2880 }]);
  });

  testCases([
    ['n as a text', { n: '1' }],
    ['n below 1', { n: 0 }],
    ['an implausible n', { n: 10_001 }],
    ['quota as a text', { quota: '1' }],
    ['expire as a text', { expire: '480' }],
    ['no validity', { expire: undefined }],
    ['a limit of 0', { up: 0 }],
    ['null for a limit', { down: null }],
    ['a note that is no text', { note: 5 }],
    ['an unknown command', { cmd: 'make-voucher' }],
  ])('wrong values are refused with InvalidArgs and create nothing', async (_what, wrong) => {
    const { hotspot } = await start();
    const { status, json } = await hotspot({ ...order, ...wrong });
    expect([status, json]).toEqual([400, { meta: { rc: 'error', msg: 'api.err.InvalidArgs' }, data: [] }]);
    expect(running.vouchers()).toEqual([]);
  });

  testCases([
    ['a body that is no JSON', 'POST', '/api/s/default/cmd/hotspot', '{', 400, 'api.err.InvalidPayload'],
    ['an unknown site', 'POST', '/api/s/elsewhere/cmd/hotspot', order, 400, 'api.err.NoSiteContext'],
    ['an unknown route', 'GET', '/api/s/default/rest/voucher', undefined, 404, 'api.err.NotFound'],
  ])('what is not there or not allowed is refused', async (_what, method, path, body, status, msg) => {
    const { call } = await start();
    const answer = await call(method, path, body);
    expect([answer.status, answer.json.meta]).toEqual([status, { rc: 'error', msg }]);
  });

  test('old firmware says LoginRequired with status 200', async () => {
    const { hotspot } = await start({ legacyErrors: true });
    running.endSessions();
    const { status, json } = await hotspot(order);
    expect([status, json.meta]).toEqual([200, { rc: 'error', msg: 'api.err.LoginRequired' }]);
    expect(running.vouchers()).toEqual([]);
  });
});

test('on UniFi OS the API key opens the classic API as well, without login and CSRF token', async () => {
  running = await startUnifiConsole();
  started.push(running);
  const path = '/proxy/network/api/s/default/cmd/hotspot';
  expect(
    (await makeConsoleClient(running)('POST', path, order, { 'x-api-key': running.apiKey })).status,
  ).toBe(200);
  expect((await makeConsoleClient(running)('POST', path, order, { 'x-api-key': 'wrong' })).status).toBe(401);
  expect(running.vouchers()).toHaveLength(1);
});
