import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { refusal } from '../support/refusal.js';
import type { Answer } from '../support/service.js';

const start = Date.parse('2026-11-14T09:30:00.000Z');
let now: number;
const api = withApi();

beforeEach(() => {
  now = start;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const list = (key: string): Promise<Answer> => api.get('/sites.php', { key });
const limitOf = ({ headers }: Answer) => ({
  limit: headers['ratelimit-limit'],
  remaining: headers['ratelimit-remaining'],
  reset: headers['ratelimit-reset'],
});

test('the window is fixed and one minute long [limit-per-minute]', async () => {
  const key = await api.addKey({ rateLimit: 2 });
  const statusAfter = async (ms: number): Promise<number> => {
    now = start + ms;
    return (await list(key)).status;
  };
  expect(await statusAfter(0)).toBe(200);
  expect(await statusAfter(59_000)).toBe(200);
  expect(await statusAfter(59_999)).toBe(429);
  // A sliding window would still count the request of second 59.
  expect(await statusAfter(60_000)).toBe(200);
  expect(await statusAfter(60_001)).toBe(200);
  expect(await statusAfter(60_002)).toBe(429);
});

test('answers carry RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset in seconds [limit-headers]', async () => {
  const key = await api.addKey({ rateLimit: 2 });
  expect(limitOf(await list(key))).toEqual({ limit: '2', remaining: '1', reset: '60' });
  now += 30_500;
  expect(limitOf(await list(key))).toEqual({ limit: '2', remaining: '0', reset: '30' });
  now += 29_499;
  expect(limitOf(await list(key))).toEqual({ limit: '2', remaining: '0', reset: '1' });
  now += 1;
  expect(limitOf(await list(key))).toEqual({ limit: '2', remaining: '1', reset: '60' });
});

test('429 has Retry-After in whole seconds until the window ends, and the message says it [limit-429-body]', async () => {
  const key = await api.addKey({ rateLimit: 1 });
  await list(key);
  now += 17_200;
  const answer = await list(key);
  expect(answer).toMatchObject(
    refusal(429, 'rate_limited', 'Zu viele Anfragen, bitte in 43 s erneut versuchen'),
  );
  expect(answer.headers['retry-after']).toBe('43');
});

test('the limit is per key [limit-per-key]', async () => {
  const [one, other] = [await api.addKey({ rateLimit: 1 }), await api.addKey({ rateLimit: 1 })];
  await list(one);
  expect((await list(one)).status).toBe(429);
  expect((await list(other)).status).toBe(200);
});

test('the limit counts all requests with the key, to whatever operation [limit-all-requests]', async () => {
  const key = await api.addKey({ rateLimit: 3 });
  await api.get('/sites.php', { key });
  await api.get('/vouchers.php?site_id=1', { key });
  await api.post('/vouchers.php', {}, { key });
  expect((await api.get('/sites.php', { key })).status).toBe(429);
});

test('requests without a valid key count against no limit', async () => {
  const key = await api.addKey({ rateLimit: 1 });
  const wrong = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  expect((await list(wrong)).status).toBe(401);
  expect((await list(key)).status).toBe(200);
});

test('0 means unlimited, and such answers carry no rate-limit headers [limit-zero-unlimited]', async () => {
  const key = await api.addKey({ rateLimit: 0 });
  for (let count = 0; count < 100; count++) {
    const answer = await list(key);
    expect(answer.status).toBe(200);
    expect(limitOf(answer)).toEqual({});
  }
});

test('a limit may be as high as 1,000,000 [limit-range]', async () => {
  const key = await api.addKey({ rateLimit: 1_000_000 });
  expect(limitOf(await list(key))).toMatchObject({ limit: '1000000', remaining: '999999' });
});

test('with limit 50, of 200 concurrent requests in one window exactly 50 are accepted [limit-atomic]', async () => {
  const key = await api.addKey({ rateLimit: 50 });
  const answers = await Promise.all(Array.from({ length: 200 }, () => list(key)));
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted).toHaveLength(50);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(150);
  const remaining = accepted.map((answer) => Number(limitOf(answer).remaining)).sort((a, b) => a - b);
  expect(remaining).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test('an unknown path counts and carries the headers too [limit-headers-unknown-path limit-all-requests]', async () => {
  const key = await api.addKey({ rateLimit: 3 });
  const paths = ['/nothing', '/web/nothing', '/docs/nothing'];
  const answers = [];
  for (const path of paths) answers.push(await api.get(path, { key }));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(answers.map(limitOf)).toEqual(
    ['2', '1', '0'].map((remaining) => ({ limit: '3', remaining, reset: '60' })),
  );
  const beyond = await api.post('/nothing', {}, { headers: { 'X-API-Key': key } });
  expect(beyond).toMatchObject(
    refusal(429, 'rate_limited', 'Zu viele Anfragen, bitte in 60 s erneut versuchen'),
  );
  expect(beyond.headers['retry-after']).toBe('60');
  expect(limitOf(beyond)).toEqual({ limit: '3', remaining: '0', reset: '60' });
  for (const other of [await api.addKey({ rateLimit: 0 }), `uvt_${'0'.repeat(40)}`]) {
    const answer = await api.get('/nothing', { key: other });
    expect([answer.status, limitOf(answer)]).toEqual([404, {}]);
  }
});

test('every answer to a request with a valid key carries the headers, whatever its status [limit-headers]', async () => {
  const key = await api.addKey({ rateLimit: 100 });
  const active = await api.addSite();
  const broken = await api.addSite({ fault: 'refuse' });
  const empty = await api.addSite({ fault: 'no-voucher' });
  const order = (site_id: number) => api.post('/vouchers.php', { site_id, name: 'x' }, { key });
  const { headers } = await list(key);
  const answers = [
    await api.get('/sites.php', { key, headers: { 'If-None-Match': headers.etag! } }),
    await order(active),
    await order(0),
    await order(999),
    await api.request('PUT', '/sites.php', { key }),
    await api.post('/vouchers.php', 'x'.repeat(70_000), { key }),
    await order(broken),
    await order(empty),
  ];
  expect(answers.map(({ status }) => status)).toEqual([304, 201, 400, 404, 405, 413, 500, 502]);
  expect(answers.map((answer) => limitOf(answer))).toEqual(
    answers.map((_, index) => ({ limit: '100', remaining: String(98 - index), reset: '60' })),
  );
});
