import { beforeAll, expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { addSite, someRecord, someTime, someVoucher } from '../support/records.js';
import { signInNew, type Browser } from '../support/web.js';

const api = withAdmin();
let viewer: Browser;
let staff: Browser;
let own: Awaited<ReturnType<typeof addSite>>;
let voucherId: number;

beforeAll(async () => {
  own = await addSite(api.tables, 'Hauptgebäude');
  const other = await addSite(api.tables, 'Anderswo');
  const add = (place: typeof own, code: string, name: string, later: number) =>
    api.tables.vouchers.record(
      someRecord(place, { voucher: someVoucher({ code, name, createdAt: someTime + later }) }),
    );
  await add(own, '1234567890', '2026-11-14_Zimmer 204', 0);
  await add(own, '2040411111', 'Familie Berger', 1);
  await add(other, '9999988888', 'Bergheim', 2);
  voucherId = (await api.tables.voucherSearch.byCode('1234567890'))[0]!.id;
  const siteIds = [own.siteId];
  viewer = await signInNew(api, api.admin, { name: 'Vera', role: 'viewer', siteIds });
  staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds });
});

const find = async (browser: Browser, text = ''): Promise<{ name: string; formattedCode: string }[]> => {
  const answer = await browser.get(`/vouchers?${new URLSearchParams({ text }).toString()}`);
  expect(answer.status).toBe(200);
  return (answer.body as { vouchers: { name: string; formattedCode: string }[] }).vouchers;
};

test('a viewer reads the vouchers of the assigned sites, without their codes', async () => {
  expect((await find(viewer)).map(({ name, formattedCode }) => [name, formattedCode])).toEqual([
    ['Familie Berger', '•••••-•••••'],
    ['2026-11-14_Zimmer 204', '•••••-•••••'],
  ]);
  const shown = await viewer.get(`/vouchers/${String(voucherId)}`);
  expect(shown).toMatchObject({ status: 200, body: { code: '••••••••••', formattedCode: '•••••-•••••' } });
  expect(shown.text).not.toContain('67890');
  expect(await viewer.get('/overview')).toMatchObject({ status: 200, body: { sites: [{ id: own.siteId }] } });
  expect((await staff.get(`/vouchers/${String(voucherId)}`)).body).toMatchObject({ code: '1234567890' });
});

test('a viewer finds vouchers by their names only, so that searches do not tell a code', async () => {
  expect((await find(staff, '12345')).map(({ name }) => name)).toEqual(['2026-11-14_Zimmer 204']);
  for (const text of ['1', '12345', '12345-6', '67890', '9999988888', 'zimmer 12345'])
    expect([text, await find(viewer, text)]).toEqual([text, []]);
  // 204 is the beginning of a code, and the number of a room.
  expect(await find(staff, '204')).toHaveLength(2);
  expect((await find(viewer, '204')).map(({ name }) => name)).toEqual(['2026-11-14_Zimmer 204']);
  expect((await find(viewer, 'BERG fam')).map(({ name }) => name)).toEqual(['Familie Berger']);
});
