import { beforeAll, expect, test } from '@jest/globals';
import { refusal } from '../../support/refusal.js';
import { withService } from '../../support/service.js';
import { rowsOf } from '../../support/serviceInternals.js';

const mismatch = refusal(
  422,
  'idempotency_mismatch',
  'Dieser Idempotency-Key wurde bereits mit einem anderen Inhalt verwendet',
);
const service = withService();
let key: string;

beforeAll(async () => {
  key = await service.addKey();
});

test('the same Idempotency-Key with another body gives 422, and no second voucher', async () => {
  const order = { site_id: await service.addSite(), name: 'Familie Berger' };
  const options = { key, headers: { 'Idempotency-Key': 'k1' } };
  expect((await service.post('/vouchers.php', order, options)).status).toBe(201);
  const others = [
    { ...order, site_id: await service.addSite({ name: 'Nebengebäude' }) },
    { ...order, name: 'Familie Huber' },
    { ...order, max_uses: 2 },
    { ...order, expire_minutes: 60 },
    { ...order, qos: { down: 1 } },
  ];
  for (const other of others) {
    expect(await service.post('/vouchers.php', other, options)).toMatchObject(mismatch);
  }
  expect(await rowsOf(service, 'vouchers')).toHaveLength(1);
});
