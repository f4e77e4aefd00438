import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import { refusal } from '../../support/refusal.js';
import { rowsOf } from '../../support/serviceInternals.js';

const mismatch = refusal(
  422,
  'idempotency_mismatch',
  'Dieser Idempotency-Key wurde bereits mit einem anderen Inhalt verwendet',
);
const api = withApi();

test('the same Idempotency-Key with another body gives 422, and no second voucher [idempotency-mismatch]', async () => {
  const order = { site_id: await api.addSite(), name: 'Familie Berger' };
  const options = { key: api.key, headers: { 'Idempotency-Key': 'k1' } };
  expect((await api.post('/vouchers.php', order, options)).status).toBe(201);
  const others = [
    { ...order, site_id: await api.addSite({ name: 'Nebengebäude' }) },
    { ...order, name: 'Familie Huber' },
    { ...order, max_uses: 2 },
    { ...order, expire_minutes: 60 },
    { ...order, qos: { down: 1 } },
  ];
  for (const other of others) {
    expect(await api.post('/vouchers.php', other, options)).toMatchObject(mismatch);
  }
  expect(await rowsOf(api, 'vouchers')).toHaveLength(1);
});

test('names that are numbers are compared by the text that was sent', async () => {
  const siteId = await api.addSite({ name: 'Turm' });
  const options = { key: api.key, headers: { 'Idempotency-Key': 'k2' } };
  const post = (rest: string) => api.post('/vouchers.php', `{"site_id":${String(siteId)},${rest}}`, options);
  expect((await post('"name":9007199254740993')).status).toBe(201);
  expect(await post('"name":9007199254740992')).toMatchObject(mismatch);
  expect(await post('"name":9007199254740993.0')).toMatchObject(mismatch);
  // The same order, written in other ways.
  for (const rest of ['"max_uses":1.0,"name":9007199254740993', '"name":1,"name":"9007199254740993"'])
    expect((await post(rest)).status).toBe(201);
  const named = (await rowsOf(api, 'vouchers')).filter(({ site_id: id }) => id === siteId);
  expect(named).toHaveLength(1);
});
