import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import { siteIdRequired } from '../../support/refusal.js';

const api = withApi({ key: { scope: 'read' } });

test.each([
  ['a missing', ''],
  ['a missing', '?'],
  ['a missing', '?siteid=1&SITE_ID=1'],
  ['an empty', '?site_id='],
  ['an empty', '?site_id'],
  ['a non-numeric', '?site_id=abc'],
  ['a non-numeric', '?site_id=12abc'],
  ['a non-numeric', '?site_id=0x1'],
  ['a non-numeric', '?site_id=true'],
  ['a non-numeric', '?site_id=%FF'],
  ['a non-positive', '?site_id=0'],
  ['a non-positive', '?site_id=-1'],
  ['a non-positive', '?site_id=0.9'],
  ['an infinite', '?site_id=1e400'],
])(
  '%s site_id gives 400 invalid_request with message "site_id erforderlich" (%s) [listVouchers-site-id-required]',
  async (_, query) => {
    expect(await api.get(`/vouchers.php${query}`, { key: api.key })).toMatchObject(siteIdRequired);
  },
);

test.each(['?site_id=1&site_id=1', '?site_id[]=1', '?site_id%5B%5D=1', '?site_id[0]=1'])(
  'site_id given twice, or as site_id[]=, is non-numeric: 400 (%s) [listVouchers-site-id-twice]',
  async (query) => {
    expect(await api.get(`/vouchers.php${query}`, { key: api.key })).toMatchObject(siteIdRequired);
  },
);

test('site_id is read from the query, not from a body', async () => {
  const answer = await api.request('GET', '/vouchers.php', { key: api.key, body: { site_id: 1 } });
  expect(answer).toMatchObject(siteIdRequired);
});
