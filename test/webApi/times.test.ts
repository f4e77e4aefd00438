import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';

const api = withAdmin();

/** Their form is that of a time. */
const impossible = ['2026-06-30T23:59:60Z', '2026-19-39T00:00:00Z'];
const refused = { status: 400, body: { error: 'invalid_request', message: 'time-invalid' } };

test.each(impossible)('%s is refused wherever a time is taken', async (time) => {
  for (const path of ['/vouchers', '/vouchers.csv', '/audit', '/audit.csv'])
    for (const name of ['from', 'to'])
      expect(await api.admin.get(`${path}?${name}=${time}`)).toMatchObject(refused);
  expect(await api.admin.post('/keys', { name: 'Kasse', scope: 'read', expiresAt: time })).toMatchObject(
    refused,
  );
});
