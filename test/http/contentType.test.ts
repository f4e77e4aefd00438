import { expect, test } from '@jest/globals';
import { sendRaw } from '../support/rawSocket.js';
import { withService, type Answer } from '../support/service.js';

const json = 'application/json; charset=utf-8';

const service = withService();

test('Content-Type is application/json; charset=utf-8 on every API answer', async () => {
  const key = await service.addKey();
  const reading = await service.addKey({ scope: 'read' });
  const tight = await service.addKey({ rateLimit: 1 });
  const good = await service.addSite();
  const order = async (fault: string, headers = {}): Promise<Answer> =>
    service.post('/vouchers.php', { site_id: await service.addSite({ fault }), name: 'x' }, { key, headers });
  const idempotent = { 'Idempotency-Key': 'once' };
  const post = (body: unknown, headers = {}): Promise<Answer> =>
    service.post('/vouchers.php', body, { key, headers });
  const answers = [
    await service.get('/sites.php', { key: tight }),
    await service.get(`/vouchers.php?site_id=${good}`, { key }),
    await post({ site_id: good, name: 'x' }, idempotent),
    await post({ site_id: good, name: 'y' }, idempotent),
    await post({}),
    await service.get('/sites.php'),
    await service.post('/vouchers.php', {}, { key: reading }),
    await post({ site_id: 999, name: 'x' }),
    await service.get('/nothing'),
    await service.request('DELETE', '/vouchers.php', { key }),
    await post('x'.repeat(70_000)),
    await service.get('/sites.php', { key: tight }),
    await order('refuse'),
    await order('no-code'),
    await service.get('/openapi.php'),
    await service.get('/openapi.php', { headers: { Host: 'not a host' } }),
  ];
  expect(answers.map(({ status, headers }) => [status, headers['content-type']])).toEqual(
    [200, 200, 201, 422, 400, 401, 403, 404, 404, 405, 413, 429, 500, 502, 200, 400].map((status) => [
      status,
      json,
    ]),
  );
});

test.each([
  ['what is no HTTP', 'garbage\r\n\r\n', '400'],
  ['a request without a Host header', 'GET /sites.php HTTP/1.1\r\nConnection: close\r\n\r\n', '40[01]'],
  ['a head that is too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
])('the answer to %s has it too', async (_, text, status) => {
  const answer = await sendRaw(service.url, text);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/i);
});
