import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { testCases } from '../support/cases.js';
import { sendRaw } from '../support/rawSocket.js';
import type { Answer } from '../support/service.js';

const json = 'application/json; charset=utf-8';

const api = withApi();

test('Content-Type is application/json; charset=utf-8 on every API answer [service-speaks-json]', async () => {
  const reading = await api.addKey({ scope: 'read' });
  const tight = await api.addKey({ rateLimit: 1 });
  const good = await api.addSite();
  const order = async (fault: string, headers = {}): Promise<Answer> =>
    api.createVoucher({ site_id: await api.addSite({ fault }), name: 'x' }, { headers });
  const idempotent = { 'Idempotency-Key': 'once' };
  const post = (body: unknown, headers = {}): Promise<Answer> =>
    api.post('/vouchers.php', body, { key: api.key, headers });
  const answers = [
    await api.get('/sites.php', { key: tight }),
    await api.listVouchers(good),
    await post({ site_id: good, name: 'x' }, idempotent),
    await post({ site_id: good, name: 'y' }, idempotent),
    await post({}),
    await api.get('/sites.php'),
    await api.post('/vouchers.php', {}, { key: reading }),
    await post({ site_id: 999, name: 'x' }),
    await api.get('/nothing'),
    await api.request('DELETE', '/vouchers.php', { key: api.key }),
    await post('x'.repeat(70_000)),
    await api.get('/sites.php', { key: tight }),
    await order('refuse'),
    await order('no-code'),
    await api.get('/openapi.php'),
    await api.get('/openapi.php', { headers: { Host: 'not a host' } }),
  ];
  expect(answers.map(({ status, headers }) => [status, headers['content-type']])).toEqual(
    [200, 200, 201, 422, 400, 401, 403, 404, 404, 405, 413, 429, 500, 502, 200, 400].map((status) => [
      status,
      json,
    ]),
  );
});

testCases([
  ['what is no HTTP', 'garbage\r\n\r\n', '400'],
  ['a request without a Host header', 'GET /sites.php HTTP/1.1\r\nConnection: close\r\n\r\n', '40[01]'],
  ['a head that is too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
])('answers to what is no HTTP have it too', async (_, text, status) => {
  const answer = await sendRaw(api.url, text);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/i);
});
