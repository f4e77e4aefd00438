import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import { nameRequired, refusal } from '../../support/refusal.js';
import { rowsOf } from '../../support/serviceInternals.js';

const notFound = refusal(404, 'not_found', 'Site nicht gefunden');
const api = withApi();

test.each([999, 2_147_483_648, 9e15, 1e300])(
  'a missing site gives 404 not_found with message "Site nicht gefunden" (%d) [createVoucher-site-404 error-body]',
  async (site_id) => {
    expect(await api.createVoucher({ site_id, name: 'x' })).toMatchObject(notFound);
  },
);

test('only active sites can receive vouchers: an inactive one gives 404 [createVoucher-site-404 site-inactive-refused]', async () => {
  const site_id = await api.addSite({ active: false });
  expect(await api.createVoucher({ site_id, name: 'x' })).toMatchObject(notFound);
  expect(await rowsOf(api, 'intents')).toEqual([]);
  await api.tables.sites.change(site_id, { active: true });
  expect((await api.createVoucher({ site_id, name: 'x' })).status).toBe(201);
});

test('name is validated before the site is looked up [createVoucher-name-before-site]', async () => {
  expect(await api.createVoucher({ site_id: 999, name: ' ' })).toMatchObject(nameRequired);
});
