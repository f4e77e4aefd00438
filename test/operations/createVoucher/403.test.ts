import { beforeAll, expect, test } from '@jest/globals';
import { refusal } from '../../support/refusal.js';
import { withService } from '../../support/service.js';
import { rowsOf } from '../../support/serviceInternals.js';

const forbidden = refusal(403, 'forbidden', 'Dem API-Schlüssel fehlt der Scope write');
const service = withService();
let key: string;
let siteId: number;

beforeAll(async () => {
  key = await service.addKey({ scope: 'read', rateLimit: 100 });
  siteId = await service.addSite();
});

test('POST /vouchers.php requires scope write; the message names the scope that is missing', async () => {
  const answer = await service.post('/vouchers.php', { site_id: siteId, name: 'x' }, { key });
  expect(answer).toMatchObject(forbidden);
  expect(await rowsOf(service, 'vouchers')).toEqual([]);
});

test('the scope is checked before the operation validates', async () => {
  for (const body of ['', { site_id: 0 }, { site_id: 999, name: 'x' }, 'x'.repeat(70_000)]) {
    expect(await service.post('/vouchers.php', body, { key })).toMatchObject(forbidden);
  }
});

test('a 403 answer was counted by the limiter', async () => {
  const before = await service.get('/sites.php', { key });
  const { headers } = await service.post('/vouchers.php', {}, { key });
  expect(Number(headers['ratelimit-remaining'])).toBe(Number(before.headers['ratelimit-remaining']) - 1);
});
