import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import { refusal } from '../../support/refusal.js';
import { rowsOf } from '../../support/serviceInternals.js';

const forbidden = refusal(403, 'forbidden', 'Dem API-Schlüssel fehlt der Scope write');
const api = withApi({ key: { scope: 'read', rateLimit: 100 } });

test('POST /vouchers.php requires scope write; the message names the scope that is missing [createVoucher-scope key-scope-read key-403-body messages-german]', async () => {
  const answer = await api.createVoucher({ name: 'x' });
  expect(answer).toMatchObject(forbidden);
  expect(await rowsOf(api, 'vouchers')).toEqual([]);
});

test('the scope is checked before the operation validates [check-scope-fourth]', async () => {
  for (const body of ['', { site_id: 0 }, { site_id: 999, name: 'x' }, 'x'.repeat(70_000)]) {
    expect(await api.post('/vouchers.php', body, { key: api.key })).toMatchObject(forbidden);
  }
});

test('a 403 answer was counted by the limiter [check-refusals-counted]', async () => {
  const before = await api.get('/sites.php', { key: api.key });
  const { headers } = await api.post('/vouchers.php', {}, { key: api.key });
  expect(Number(headers['ratelimit-remaining'])).toBe(Number(before.headers['ratelimit-remaining']) - 1);
});
