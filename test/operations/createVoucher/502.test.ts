import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rowsOf } from '../../support/inside.js';
import { refusal } from '../../support/refusal.js';
import { startService, type TestService } from '../../support/service.js';

const upstreamError = refusal(
  502,
  'upstream_error',
  'Der Controller hat keinen gültigen Voucher zurückgegeben',
);
let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = await service.addKey();
});
afterAll(() => service.stop());

test.each([
  ['no voucher', 'no-voucher'],
  ['one without a formatted_code', 'no-code'],
])('if the controller returns %s, the result is 502 upstream_error in German', async (_, fault) => {
  const siteId = await service.addSite({ fault });
  const order = { site_id: siteId, name: 'Familie Berger' };
  expect(await service.post('/vouchers.php', order, { key })).toMatchObject(upstreamError);
  for (const table of ['vouchers', 'notifications', 'intents'])
    expect(await rowsOf(service, table)).toEqual([]);
});
