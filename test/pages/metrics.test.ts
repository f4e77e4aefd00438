import { describe, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { someIntent } from '../support/records.js';
import { until } from '../support/until.js';
import { exchange } from '../support/rawSocket.js';
import { hideTable, recordVoucher } from '../support/serviceInternals.js';

describe('without a token', () => {
  const api = withApi();
  const metric = async (name: string): Promise<number> => {
    const line = (await api.get('/metrics')).text.split('\n').find((text) => text.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? NaN);
  };
  const requests = (operation: string, status: number): Promise<number> =>
    metric(`voucherd_request_duration_seconds_count{operation="${operation}",status="${status}"}`);

  test('GET /metrics on loopback is in the format of Prometheus', async () => {
    const { status, headers, text } = await api.get('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toMatch(/^# HELP voucherd_/m);
  });

  test('a request that names no host gets none, also on loopback', async () => {
    const [answer] = await exchange(api.url, 'GET /metrics HTTP/1.0\r\n\r\n');
    expect(answer?.status).toBe(403);
    expect(answer?.body).toContain('METRICS_TOKEN');
    const named = await exchange(api.url, 'GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n');
    expect(named[0]?.status).toBe(200);
  });

  test('requests are counted by operation and status, with their durations', async () => {
    await api.get('/sites.php', { key: api.key });
    await api.get('/sites.php', { key: api.key });
    await api.get('/vouchers.php', { key: api.key });
    await api.get('/vouchers.php');
    await api.request('PUT', '/sites.php', { key: api.key });
    expect(await requests('listSites', 200)).toBe(2);
    expect(await requests('listVouchers', 400)).toBe(1);
    expect(await requests('listVouchers', 401)).toBe(1);
    expect(await requests('none', 405)).toBe(1);
    expect(
      await metric('voucherd_request_duration_seconds_sum{operation="listSites",status="200"}'),
    ).toBeGreaterThan(0);
  });

  test('refusals of the limiter are counted', async () => {
    const key = await api.addKey({ rateLimit: 1 });
    for (let count = 0; count < 3; count++) await api.get('/sites.php', { key });
    expect(await metric('voucherd_limiter_refusals_total')).toBe(2);
  });

  test('calls of controllers are counted by kind, call and outcome', async () => {
    for (const fault of ['none', 'refuse']) {
      const site_id = await api.addSite({ fault });
      await api.createVoucher({ site_id, name: 'x' });
    }
    const calls = (outcome: string): Promise<number> =>
      metric(
        `voucherd_controller_call_duration_seconds_count{kind="simulated",call="create",outcome="${outcome}"}`,
      );
    expect(await calls('answer')).toBe(1);
    expect(await calls('refusal')).toBe(1);
  });

  test('the number of open intents, and the age of the oldest, follow what is recorded', async () => {
    const { intents } = api.tables;
    const shows = (count: number): Promise<true> =>
      until(`${count} open intents`, async () => (await metric('voucherd_open_intents')) === count || false);
    await shows(0);
    expect(await metric('voucherd_oldest_open_intent_age_seconds')).toBe(0);
    const intent = { ...someIntent(await api.addSite()), createdAt: Date.now() - 60_000 };
    await intents.begin({ intent });
    await shows(1);
    expect(await metric('voucherd_oldest_open_intent_age_seconds')).toBeGreaterThanOrEqual(60);
    await intents.remove(intent.id);
    await shows(0);
  });

  test('without a database there are metrics all the same', async () => {
    const repair = await hideTable(api, 'intents');
    try {
      await until('it is noticed', async () => (await metric('voucherd_database_up')) === 0 || false);
      expect(await metric('voucherd_open_intents')).toBe(0);
    } finally {
      await repair();
    }
  });

  test('what the sync corrects is counted, and its passes with their durations', async () => {
    const passes = (): Promise<number> =>
      metric('voucherd_sync_pass_duration_seconds_count{kind="simulated",outcome="done"}');
    const siteId = await api.addSite();
    await api.app.sync();
    const before = await passes();
    await recordVoucher(api, siteId, {});
    await api.app.sync();
    expect(await metric('voucherd_synced_vouchers_total{outcome="gone"}')).toBe(1);
    expect(await passes()).toBeGreaterThan(before);
  });

  test('the lag of the event loop is measured', async () => {
    expect(await metric('voucherd_nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);
  });

  test.each(['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via', 'X-Forwarded-Proto'])(
    'a request that came through a proxy (%s) is not from loopback: 403',
    async (name) => {
      const answer = await api.get('/metrics', { headers: { [name]: 'for=192.0.2.1' } });
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({ error: 'forbidden', message: expect.any(String) });
    },
  );

  test.each([
    'rebound.example.org',
    'rebound.example.org:3000',
    '127.0.0.1.example.org',
    'localhost.example.org',
  ])('a name that anybody may let point to this machine does not open them: %s', async (host) => {
    expect((await api.get('/metrics', { headers: { Host: host } })).status).toBe(403);
  });

  test.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000'])(
    'a name of this machine alone opens them: %s',
    async (host) => {
      expect((await api.get('/metrics', { headers: { Host: host } })).status).toBe(200);
    },
  );

  test('no token opens the metrics where none is set', async () => {
    for (const token of ['undefined', '""']) {
      const headers = { 'X-Forwarded-For': '192.0.2.1', Authorization: `Bearer ${token}` };
      expect((await api.get('/metrics', { headers })).status).toBe(403);
    }
  });

  test('metrics hold no key, name or code', async () => {
    const key = await api.addKey({ name: 'Buchungssystem' });
    const order = { site_id: await api.addSite(), name: 'Familie Berger' };
    const { body } = await api.post('/vouchers.php', order, { key });
    const { text } = await api.get('/metrics');
    for (const secret of [key, 'Buchungssystem', 'Berger', (body as { code: string }).code]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('with METRICS_TOKEN', () => {
  const api = withApi({ env: { METRICS_TOKEN: 'a-long-token' } });
  const statusWith = async (headers: Record<string, string>): Promise<number> =>
    (await api.get('/metrics', { headers })).status;

  test('the token opens the metrics from anywhere', async () => {
    const proxy = { 'X-Forwarded-For': '192.0.2.1' };
    expect(await statusWith({ ...proxy, Authorization: 'Bearer a-long-token' })).toBe(200);
    expect(await statusWith({ ...proxy, Authorization: 'bearer a-long-token' })).toBe(200);
    expect(await statusWith(proxy)).toBe(403);
  });

  test('it is needed on loopback too, because a proxy on this machine comes from there', async () => {
    const answer = await api.get('/metrics');
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ error: 'forbidden', message: 'metrics only with METRICS_TOKEN' });
    expect(await statusWith({ Authorization: 'Bearer a-long-token' })).toBe(200);
  });

  test.each(['Bearer a-long-tokeX', 'Bearer a-long-token-and-more', 'Bearer x', 'Basic a-long-token'])(
    'another token does not: %s',
    async (Authorization) => {
      expect(await statusWith({ 'X-Forwarded-For': '192.0.2.1', Authorization })).toBe(403);
    },
  );
});
