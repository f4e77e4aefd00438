import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
let key: string;
let siteId: number;

beforeAll(async () => {
  service = await startService();
  key = await service.addKey();
  siteId = await service.addSite({ name: 'Hauptgebäude' });
});
afterAll(() => service.stop());

test('the response 201 has success, code, formatted_code, site, max_uses and expire_minutes', async () => {
  const { status, body } = await service.post(
    '/vouchers.php',
    { site_id: siteId, name: 'Familie Berger' },
    { key },
  );
  expect(status).toBe(201);
  expect(body).toEqual({
    success: true,
    code: expect.stringMatching(/^\d{10}$/),
    formatted_code: expect.stringMatching(/^\d{5}-\d{5}$/),
    site: 'Hauptgebäude',
    max_uses: 1,
    expire_minutes: 480,
  });
});
