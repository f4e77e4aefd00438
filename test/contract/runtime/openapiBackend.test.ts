import { beforeAll, expect, jest, test } from '@jest/globals';
import { OpenAPIRouter, OpenAPIValidator } from 'openapi-backend';
import { startService } from '../../support/service.js';
import { forAllTests } from '../../support/fixture.js';
import { signInFirst, type Browser } from '../../support/web.js';

let browser: Browser;
let key: string;
let site: number;
const service = forAllTests(startService, 'stop');
beforeAll(async () => {
  site = await service.addSite();
  key = await service.addKey();
  browser = await signInFirst(service);
});

const requests: [operation: string, status: number, ask: () => Promise<{ readonly status: number }>][] = [
  ['GET /sites.php', 200, () => service.get('/sites.php', { key })],
  ['GET /vouchers.php', 200, () => service.get(`/vouchers.php?site_id=${site}`, { key })],
  [
    'POST /vouchers.php',
    201,
    () => service.post('/vouchers.php', { site_id: site, name: 'Familie Berger' }, { key }),
  ],
  ['GET /web/session', 200, () => browser.get('/session')],
  ['GET /web/vouchers/{id}', 200, () => browser.get('/vouchers/1')],
];

test.each(requests)('openapi-backend routes and validates %s, once each', async (_, status, ask) => {
  const match = jest.spyOn(OpenAPIRouter.prototype, 'matchOperation');
  const validate = jest.spyOn(OpenAPIValidator.prototype, 'validateRequest');
  expect(await ask()).toMatchObject({ status });
  expect([match.mock.calls.length, validate.mock.calls.length]).toEqual([1, 1]);
  jest.restoreAllMocks();
});
