import { expect, test } from '@jest/globals';
import { withApi } from '../../support/api.js';
import { makeClock } from '../../support/clock.js';
import { controllerOf, recordVoucher } from '../../support/serviceInternals.js';

interface Listed {
  voucher_code: string;
  status: string;
  used_count: number;
  created_at: string;
  expires_at: string | null;
}

const clock = makeClock();
const api = withApi({ system: { now: clock.now }, perTest: 'site' });

const list = async (query = `site_id=${api.siteId}`): Promise<Listed[]> => {
  const { status, body } = await api.get(`/vouchers.php?${query}`, { key: api.key });
  expect(status).toBe(200);
  return (body as { vouchers: Listed[] }).vouchers;
};
const record = (code: string, createdAt = clock.now()) => recordVoucher(api, api.siteId, { code, createdAt });

test('each element has voucher_code, voucher_name, max_uses, expire_minutes, status, used_count, created_at, expires_at [listVouchers-200 voucher-listed-fields voucher-expiry-null voucher-used-count]', async () => {
  const order = { site_id: api.siteId, name: 'Familie Berger', max_uses: 2, expire_minutes: 1440 };
  const { body } = await api.post('/vouchers.php', order, { key: api.key });
  const answer = await api.listVouchers();
  expect(answer.body).toEqual({
    vouchers: [
      {
        voucher_code: (body as { code: string }).code,
        voucher_name: `${new Date(clock.now()).toLocaleDateString('sv')}_Familie Berger`,
        max_uses: 2,
        expire_minutes: 1440,
        status: 'valid',
        used_count: 0,
        created_at: '2026-11-14T09:30:00.000Z',
        expires_at: null,
      },
    ],
  });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('vouchers are sorted by created_at, the newest first [listVouchers-newest-first]', async () => {
  for (const [code, at] of [
    ['second', 2000],
    ['third', 3000],
    ['first', 1000],
  ] as const) {
    await record(code, at);
  }
  expect((await list()).map((voucher) => voucher.voucher_code)).toEqual(['third', 'second', 'first']);
});

test('of equal created_at the later recorded comes first [listVouchers-equal-times]', async () => {
  for (const code of ['1', '2', '3']) await record(code);
  expect((await list()).map((voucher) => voucher.voucher_code)).toEqual(['3', '2', '1']);
});

test('at most 200 elements are returned, the newest ones [listVouchers-at-most-200]', async () => {
  for (let number = 1; number <= 201; number++) await record(String(number), number * 1000);
  const codes = (await list()).map((voucher) => voucher.voucher_code);
  expect(codes).toEqual(Array.from({ length: 200 }, (_, index) => String(201 - index)));
});

test('no other parameters are read, and there is no pagination [listVouchers-no-other-parameters]', async () => {
  for (const code of ['1', '2', '3']) await record(code);
  const query = `site_id=${api.siteId}&limit=1&offset=1&page=2&per_page=1&status=used&order=asc`;
  expect(await list(query)).toEqual(await list());
});

test('the list comes from the records of the service, not from the controller [listVouchers-own-records]', async () => {
  await api.createVoucher({ name: 'x' });
  const before = await list();
  const { write } = api.database;
  await write('controllers')
    .where('id', await controllerOf(api, api.siteId))
    .update({ kind: 'unreachable' });
  await write('revisions')
    .whereIn('name', ['sites', `site:${api.siteId}`])
    .increment('value');
  expect(before).toHaveLength(1);
  expect(await list()).toEqual(before);
});

test('a list holds only the vouchers of its own site [listVouchers-one-site]', async () => {
  await record('mine');
  const other = await api.addSite({ name: 'Nebengebäude' });
  await recordVoucher(api, other, { code: 'theirs', createdAt: clock.now() });
  expect((await list(`site_id=${other}`)).map((voucher) => voucher.voucher_code)).toEqual(['theirs']);
});

test('the site is not checked for existence: a valid id with no vouchers gives an empty array [listVouchers-any-site]', async () => {
  for (const id of ['999', '2147483648', '99999999999999999999', '1e300']) {
    const { status, text } = await api.get(`/vouchers.php?site_id=${id}`, { key: api.key });
    expect({ status, text }).toEqual({ status: 200, text: '{"vouchers":[]}' });
  }
});

test('the site is not checked for activity [listVouchers-any-site]', async () => {
  await record('1');
  await api.tables.sites.change(api.siteId, { active: false });
  expect(await list()).toHaveLength(1);
});

test('site_id is converted to an integer [listVouchers-site-id-converted]', async () => {
  await record('1');
  for (const text of [
    `+${api.siteId}`,
    ` ${api.siteId} `,
    `${api.siteId}.9`,
    `${api.siteId}e0`,
    `0${api.siteId}`,
  ]) {
    expect(await list(`site_id=${encodeURIComponent(text)}`)).toHaveLength(1);
  }
});

test('site_id beside another parameter site_id[] counts [listVouchers-site-id-beside-list]', async () => {
  await record('1');
  for (const other of ['site_id[]=7', 'site_id%5B%5D=x', 'site_id[0]=7'])
    for (const query of [`site_id=${api.siteId}&${other}`, `${other}&site_id=${api.siteId}`])
      expect(await list(query)).toHaveLength(1);
});

test('created_at and expires_at are RFC 3339 in UTC with milliseconds [voucher-times]', async () => {
  const createdAt = Date.parse('2026-01-02T03:04:05.006Z');
  await recordVoucher(api, api.siteId, { createdAt, expiresAt: Date.parse('2027-01-02T03:04:05.060Z') });
  expect(await list()).toMatchObject([
    { created_at: '2026-01-02T03:04:05.006Z', expires_at: '2027-01-02T03:04:05.060Z' },
  ]);
});

test('status is valid, used (used up) or expired [voucher-status-values]', async () => {
  for (const status of ['valid', 'used', 'expired'] as const) {
    await recordVoucher(api, api.siteId, { status, createdAt: clock.now() });
  }
  expect((await list()).map(({ status }) => status)).toEqual(['expired', 'used', 'valid']);
});

test('valid and used become expired when their expiry passes [voucher-status-expired-by-time]', async () => {
  const expiresAt = clock.now() + 60_000;
  await recordVoucher(api, api.siteId, { createdAt: clock.now(), expiresAt });
  await recordVoucher(api, api.siteId, { createdAt: clock.now(), expiresAt, status: 'used', usedCount: 1 });
  clock.advance(59_999);
  expect((await list()).map(({ status }) => status)).toEqual(['used', 'valid']);
  clock.advance(1);
  expect((await list()).map(({ status }) => status)).toEqual(['expired', 'expired']);
});

test('GET /vouchers.php requires scope read, and write includes read [listVouchers-scope key-write-includes-read]', async () => {
  for (const scope of ['read', 'write'] as const) {
    const { status } = await api.get('/vouchers.php?site_id=1', { key: await api.addKey({ scope }) });
    expect(status).toBe(200);
  }
});

test('only the client itself may keep the list, and asks before it uses it again', async () => {
  const { headers } = await api.listVouchers();
  expect(headers['cache-control']).toBe('private, no-cache');
});
