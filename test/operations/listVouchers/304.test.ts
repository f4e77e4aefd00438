import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import type { Answer } from '../../support/service.js';

const api = withApi({ key: { rateLimit: 1000 } });

const list = (headers: Record<string, string> = {}): Promise<Answer> =>
  api.listVouchers(api.siteId, { headers });

test('while the list of vouchers is the one with the ETag in If-None-Match, the answer is 304 without a body', async () => {
  const { headers } = await list();
  const answer = await list({ 'If-None-Match': headers.etag! });
  expect(answer).toMatchObject({ status: 304, text: '' });
  expect(answer.headers.etag).toBe(headers.etag);
  expect(answer.headers['cache-control']).toBe('private, no-cache');
  expect(answer.headers['ratelimit-limit']).toBe('1000');
});

test('when a voucher was created, the old ETag gets the new list', async () => {
  const before = await list();
  await api.createVoucher();
  const answer = await list({ 'If-None-Match': before.headers.etag! });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('Familie Berger');
  expect(answer.headers.etag).not.toBe(before.headers.etag);
});
