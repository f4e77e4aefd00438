import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import type { ConsoleOptions } from '../../simulators/unifi/settings.js';
import { makeConsoleClient, type Answer } from './consoleClient.js';
import { testCases } from '../support/cases.js';

let running: UnifiConsole;
const started: UnifiConsole[] = [];
let now = 0;
afterEach(async () => {
  for (const { stop } of started.splice(0)) await stop();
});

const order = { name: '2026-01-02_Gast', timeLimitMinutes: 480 };
const base = '/proxy/network/integration/v1';

const start = async (options: ConsoleOptions = {}) => {
  now = Date.UTC(2026, 0, 2, 10, 0, 0, 700);
  running = await startUnifiConsole({ clock: () => now, ...options });
  started.push(running);
  const ask = makeConsoleClient(running);
  const root = options.variant === 'self-hosted' ? '/integration/v1' : base;
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    ask(method, root + path, body, { 'x-api-key': running.apiKey });
  const site = (await call('GET', '/sites')).json.data[0].id as string;
  const vouchers = `/sites/${site}/hotspot/vouchers`;
  return { ask, call, vouchers, create: (body: unknown) => call('POST', vouchers, body) };
};

describe('keys', () => {
  test('a wrong or missing key is refused by the gateway of UniFi OS, in its own shape', async () => {
    const { ask } = await start();
    for (const headers of [{}, { 'x-api-key': 'wrong' }, { 'x-api-key': running.cloudApiKey }]) {
      const { status, json } = await ask('GET', `${base}/info`, undefined, headers);
      expect([status, json]).toEqual([401, { error: { code: 401, message: 'Unauthorized' } }]);
    }
  });

  test('on a self-hosted console the application itself refuses it', async () => {
    const { ask } = await start({ variant: 'self-hosted' });
    const { status, json } = await ask('GET', '/integration/v1/info');
    expect(status).toBe(401);
    expect(json).toMatchObject({
      statusName: 'UNAUTHORIZED',
      code: 'api.authentication.missing-credentials',
    });
  });

  test.each(['unifi-os', 'self-hosted'] as const)(
    'through the cloud connector only the key of the cloud opens a console, and only by its id: %s',
    async (variant) => {
      const { ask } = await start({ variant, consoleId: 'ABC:123' });
      const path = running.cloudUrl.replace(running.url, '') + '/proxy/network/integration/v1/info';
      const by = async (at: string, key: string): Promise<number> =>
        (await ask('GET', at, undefined, { 'x-api-key': key })).status;
      expect(await by(path, running.cloudApiKey)).toBe(200);
      expect(await by(path.replace(':', '%3A'), running.cloudApiKey)).toBe(200);
      expect(await by(path, running.apiKey)).toBe(401);
      expect(await by(path.replace('ABC', 'ABD'), running.cloudApiKey)).toBe(404);
    },
  );
});

describe('creating', () => {
  test('answers 201 with the vouchers, and leaves out what is not set', async () => {
    const { create } = await start();
    const { status, json } = await create({ ...order, count: 2 });
    expect(status).toBe(201);
    expect(json).toEqual({
      vouchers: running.vouchers().map(({ id, code }) => ({
        id,
        createdAt: '2026-01-02T10:00:00Z',
        name: '2026-01-02_Gast',
        code,
        authorizedGuestCount: 0,
        expired: false,
        timeLimitMinutes: 480,
      })),
    });
    expect(json.vouchers).toHaveLength(2);
  });

  test('rx is the download and tx the upload', async () => {
    const { create } = await start();
    const limits = { rxRateLimitKbps: 5000, txRateLimitKbps: 2000, dataUsageLimitMBytes: 1000 };
    const { json } = await create({ ...order, ...limits, authorizedGuestLimit: 3 });
    expect(json.vouchers).toMatchObject([{ ...limits, authorizedGuestLimit: 3 }]);
    expect(running.vouchers()).toMatchObject([{ down: 5000, up: 2000, quotaMb: 1000, limit: 3 }]);
  });

  testCases([
    ['timeLimitMinutes', 1, 1_000_000],
    ['count', 1, 1000],
    ['dataUsageLimitMBytes', 1, 1_048_576],
    ['rxRateLimitKbps', 2, 100_000],
    ['txRateLimitKbps', 2, 100_000],
  ])('each limit has its bounds', async (field, from, to) => {
    const { create } = await start();
    for (const value of [from, to]) expect((await create({ ...order, [field]: value })).status).toBe(201);
    const made = running.vouchers().length;
    for (const value of [from - 1, to + 1, String(from), from + 0.5, null]) {
      const { status, json } = await create({ ...order, [field]: value });
      expect([status, json.statusName]).toEqual([400, 'BAD_REQUEST']);
    }
    expect(running.vouchers()).toHaveLength(made);
  });

  testCases([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['no validity', { timeLimitMinutes: undefined }],
    ['a limit of 0 guests', { authorizedGuestLimit: 0 }],
  ])('anything else is refused', async (_what, wrong) => {
    const { create } = await start();
    expect((await create({ ...order, ...wrong })).status).toBe(400);
    expect(running.vouchers()).toEqual([]);
  });

  test('a key that may only read may list, and not create or delete', async () => {
    const { call, create, vouchers } = await start({ readOnly: true });
    running.seed(1);
    expect((await create(order)).status).toBe(403);
    expect((await call('DELETE', `${vouchers}/${running.vouchers()[0]!.id}`)).status).toBe(403);
    expect((await call('GET', vouchers)).json.totalCount).toBe(1);
  });
});

describe('reading', () => {
  test('a limit that is too large is cut, and the answer says to what', async () => {
    const { call, vouchers } = await start({ maxPage: 2 });
    running.seed(5);
    const page = async (query: string): Promise<unknown> => {
      const { json } = await call('GET', vouchers + query);
      return { ...json, data: (json.data as { code: string }[]).map(({ code }) => code) };
    };
    const codes = running.vouchers().map(({ code }) => code);
    expect(await page('?limit=1000')).toEqual({
      offset: 0,
      limit: 2,
      count: 2,
      totalCount: 5,
      data: codes.slice(0, 2),
    });
    expect(await page('?limit=1000&offset=4')).toEqual({
      offset: 4,
      limit: 2,
      count: 1,
      totalCount: 5,
      data: codes.slice(4),
    });
    expect(await page('?limit=0')).toMatchObject({ limit: 0, count: 0, totalCount: 5 });
    expect(await page('?offset=9')).toMatchObject({ offset: 9, count: 0, totalCount: 5 });
  });

  test('without a limit there are 25 sites or 100 vouchers in an answer, and never more than 200 or 1000', async () => {
    const { call, vouchers } = await start();
    const limit = async (path: string): Promise<unknown> => (await call('GET', path)).json.limit;
    expect([await limit('/sites'), await limit('/sites?limit=1000')]).toEqual([25, 200]);
    expect([await limit(vouchers), await limit(`${vouchers}?limit=5000`)]).toEqual([100, 1000]);
  });

  test('a site is found by the reference that the classic API calls it by', async () => {
    const sites = [
      { reference: 'default', name: 'Haus' },
      { reference: 'b', name: "Anna's" },
    ];
    const { call } = await start({ sites });
    const found = async (filter: string): Promise<unknown> =>
      (await call('GET', `/sites?filter=${encodeURIComponent(filter)}`)).json.data;
    expect(await found("internalReference.eq('b')")).toMatchObject([
      { internalReference: 'b', name: "Anna's" },
    ]);
    expect(await found("name.eq('Anna''s')")).toMatchObject([{ internalReference: 'b' }]);
  });
});

describe('refusals', () => {
  test('a site has to be named by its UUID', async () => {
    const { call } = await start();
    const { status, json } = await call('GET', '/sites/default/hotspot/vouchers');
    expect(status).toBe(400);
    expect(json).toEqual({
      statusCode: 400,
      statusName: 'BAD_REQUEST',
      code: 'api.request.argument-type-mismatch',
      message: expect.any(String),
      timestamp: '2026-01-02T10:00:00.700Z',
      requestPath: '/integration/v1/sites/default/hotspot/vouchers',
      requestId: expect.any(String),
    });
    const unknown = await call('GET', `/sites/${randomUUID()}/hotspot/vouchers`);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'api.resource-not-found']);
  });

  test('an error has no code before 10.0.162', async () => {
    const { call } = await start({ version: '10.0.160' });
    expect((await call('GET', '/sites/default/hotspot/vouchers')).json).not.toHaveProperty('code');
    const { call: newer } = await start({ version: '10.0.162' });
    expect((await newer('GET', '/sites/default/hotspot/vouchers')).json).toHaveProperty('code');
  });

  test('a name may be empty before 10.1.68', async () => {
    const { create } = await start({ version: '10.0.162' });
    expect((await create({ ...order, name: '' })).status).toBe(201);
  });
});

describe('deleting', () => {
  test.each([
    ['not-found', 404, { statusCode: 404, code: 'api.resource-not-found' }],
    ['zero', 200, { vouchersDeleted: 0 }],
  ] as const)('what is not there is answered with %s', async (unknownDelete, status, body) => {
    const { call, vouchers } = await start({ unknownDelete });
    running.seed(1);
    const path = `${vouchers}/${running.vouchers()[0]!.id}`;
    expect((await call('DELETE', path)).json).toEqual({ vouchersDeleted: 1 });
    const again = await call('DELETE', path);
    expect(again.status).toBe(status);
    expect(again.json).toMatchObject(body);
  });

  test('many are deleted by a filter, which has to be there', async () => {
    const { call, vouchers } = await start();
    running.seed(2, { name: 'old' });
    running.seed(1, { name: 'new' });
    const missing = await call('DELETE', vouchers);
    expect([missing.status, missing.json.code]).toEqual([400, 'api.request.error']);
    const { json } = await call('DELETE', `${vouchers}?filter=${encodeURIComponent("name.eq('old')")}`);
    expect(json).toEqual({ vouchersDeleted: 2 });
    expect(running.vouchers()).toMatchObject([{ name: 'new' }]);
  });
});

test('both APIs show the same vouchers', async () => {
  const { ask, call, create, vouchers } = await start();
  await create(order);
  const listed = await ask('GET', '/proxy/network/api/s/default/stat/voucher', undefined, {
    'x-api-key': running.apiKey,
  });
  const [classic] = listed.json.data as [{ external_id: string; code: string }];
  const { json } = await call('GET', `${vouchers}/${classic.external_id}`);
  expect(json.code).toBe(classic.code);
});
