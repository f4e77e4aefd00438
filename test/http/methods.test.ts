import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { unauthorized } from '../support/refusal.js';
import { startService, type TestService } from '../support/service.js';

const notAllowed = { status: 405, text: '{"error":"method_not_allowed"}' };
const others = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = await service.addKey({ rateLimit: 1000 });
});
afterAll(() => service.stop());

test.each([
  ['/sites.php', 'GET', [...others, 'POST']],
  ['/vouchers.php', 'GET, POST', others],
])(
  'any other method on %s gives 405 {"error":"method_not_allowed"}, without a message, with Allow: %s',
  async (path, allow, methods) => {
    for (const method of methods) {
      const answer = await service.request(method, path, { key });
      expect(answer).toMatchObject(notAllowed);
      expect(answer.headers.allow).toBe(allow);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  },
);

test.each(['/sites.php', '/vouchers.php'])('HEAD %s is 405 too', async (path) => {
  const { status, headers, text } = await service.request('HEAD', path, { key });
  expect({ status, text }).toEqual({ status: 405, text: '' });
  expect(headers.allow).toContain('GET');
});

test('the key (401) comes before the method (405)', async () => {
  for (const method of ['PUT', 'OPTIONS']) {
    expect(await service.request(method, '/vouchers.php')).toMatchObject(unauthorized);
  }
});

test('the limit (429) comes before the method (405)', async () => {
  const tight = await service.addKey({ rateLimit: 1 });
  expect(await service.request('PUT', '/vouchers.php', { key: tight })).toMatchObject(notAllowed);
  expect((await service.request('PUT', '/vouchers.php', { key: tight })).status).toBe(429);
});

test('the method (405) comes before the scope (403)', async () => {
  const reading = await service.addKey({ scope: 'read' });
  expect(await service.request('DELETE', '/vouchers.php', { key: reading })).toMatchObject(notAllowed);
});

test('the limit (429) comes before the scope (403), and the scope before validation (400)', async () => {
  const reading = await service.addKey({ scope: 'read', rateLimit: 1 });
  expect((await service.post('/vouchers.php', {}, { key: reading })).status).toBe(403);
  expect((await service.post('/vouchers.php', {}, { key: reading })).status).toBe(429);
});

test('the key (401) comes before validation (400)', async () => {
  expect(await service.get('/vouchers.php')).toMatchObject(unauthorized);
  expect(await service.post('/vouchers.php', '{')).toMatchObject(unauthorized);
});

test('a 405 answer was counted by the limiter, and carries the headers of the limit', async () => {
  const before = await service.get('/sites.php', { key });
  const { headers } = await service.request('PUT', '/sites.php', { key });
  expect(Number(headers['ratelimit-remaining'])).toBe(Number(before.headers['ratelimit-remaining']) - 1);
});
