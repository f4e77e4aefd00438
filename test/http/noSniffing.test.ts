import { expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { testCases } from '../support/cases.js';
import { exchange } from '../support/rawSocket.js';

const api = withApi();

testCases([
  ['GET', '/sites.php', 200],
  ['GET', '/vouchers.php', 400],
  ['DELETE', '/vouchers.php', 405],
  ['GET', '/openapi.php', 200],
  ['POST', '/openapi.php', 405],
  ['GET', '/openapi.yaml', 200],
  ['GET', '/web/start', 200],
  ['GET', '/web/session', 401],
  ['GET', '/web/nothing', 404],
  ['GET', '/healthz', 200],
  ['GET', '/readyz', 200],
  ['GET', '/metrics', 200],
  ['GET', '/docs/', 200],
  ['GET', '/sign-in', 200],
  ['GET', '/nothing', 404],
])('no browser guesses the type of an answer', async (method, path, status) => {
  const answer = await api.request(method, path, { key: api.key });
  expect(answer.status).toBe(status);
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
});

test('nor that of an order, of a list that has not changed, and of what is no HTTP', async () => {
  const order = await api.createVoucher();
  expect(order.headers['x-content-type-options']).toBe('nosniff');
  const list = await api.listVouchers();
  const headers = { 'If-None-Match': list.headers.etag ?? '' };
  const same = await api.listVouchers(api.siteId, { headers });
  expect(same.status).toBe(304);
  expect(same.headers['x-content-type-options']).toBe('nosniff');
  const [refused] = await exchange(api.url, 'no HTTP\r\n\r\n');
  expect(refused?.head).toMatch(/^X-Content-Type-Options: nosniff$/m);
});

test('nor that of a request with an expectation that nobody knows, which has the usual form of errors', async () => {
  const request = `GET /sites.php HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${api.key}\r\nExpect: tea\r\n\r\n`;
  const [refused] = await exchange(api.url, request);
  expect(refused?.status).toBe(417);
  expect(refused?.head).toMatch(/^X-Content-Type-Options: nosniff$/m);
  expect(refused?.head).toMatch(/^X-Request-Id: \S+$/m);
  expect(JSON.parse(refused?.body ?? '')).toEqual({ error: 'invalid_request', message: 'Expect ungültig' });
});
