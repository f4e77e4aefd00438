import { beforeAll, expect, test } from '@jest/globals';
import { nameRequired, refusal } from '../../support/refusal.js';
import { withService } from '../../support/service.js';
import { rowsOf } from '../../support/serviceInternals.js';

const notFound = refusal(404, 'not_found', 'Site nicht gefunden');
const service = withService();
let key: string;

beforeAll(async () => {
  key = await service.addKey();
});

test.each([999, 2_147_483_648, 9e15, 1e300])(
  'a missing site gives 404 not_found with message "Site nicht gefunden" (%d)',
  async (site_id) => {
    expect(await service.post('/vouchers.php', { site_id, name: 'x' }, { key })).toMatchObject(notFound);
  },
);

test('only active sites can receive vouchers: an inactive one gives 404', async () => {
  const site_id = await service.addSite({ active: false });
  expect(await service.post('/vouchers.php', { site_id, name: 'x' }, { key })).toMatchObject(notFound);
  expect(await rowsOf(service, 'intents')).toEqual([]);
  await service.service.tables.sites.change(site_id, { active: true });
  expect((await service.post('/vouchers.php', { site_id, name: 'x' }, { key })).status).toBe(201);
});

test('name is validated before the site is looked up', async () => {
  expect(await service.post('/vouchers.php', { site_id: 999, name: ' ' }, { key })).toMatchObject(
    nameRequired,
  );
});
