import { beforeAll, expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import { withPdf } from '../support/pdf.js';
import { signInNew, type Browser } from '../support/web.js';

const api = withAdmin({ development: true });
let staff: Browser;
const voucherIds: number[] = [];
let foreignId: number;

beforeAll(async () => {
  const { tables } = api.app;
  const record = async (place: Awaited<ReturnType<typeof addSite>>, code: string): Promise<number> => {
    await tables.vouchers.record(someRecord(place, { voucher: someVoucher({ code }) }));
    return (await tables.voucherSearch.byCode(code))[0]!.id;
  };
  const own = await addSite(tables, 'Hauptgebäude');
  for (const code of ['1111122222', '3333344444']) voucherIds.push(await record(own, code));
  foreignId = await record(await addSite(tables, 'Anderswo'), '5555566666');
  await api.admin.patch(`/sites/${String(own.siteId)}`, { ssid: 'Gäste', slipText: 'Bis bald!' });
  staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [own.siteId] });
});

const slips = (browser: Browser, body: object) => browser.post('/vouchers/slips', body);

test('staff print vouchers of their sites, in the order in which they selected them', async () => {
  const [first, second] = voucherIds;
  const answer = await slips(staff, { voucherIds: [second, first, second], layout: 'slip', language: 'fr' });
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="vouchers.pdf"',
    },
  });
  await withPdf(answer.bytes, async (pages) => {
    expect(pages).toHaveLength(2);
    expect(pages[0]?.texts).toEqual(expect.arrayContaining(['33333-44444', 'Wi-Fi : Gäste', 'Bis bald!']));
    expect(pages[1]?.texts).toEqual(expect.arrayContaining(['11111-22222', 'Code d’accès']));
    expect(await pages[0]?.readQr()).toBe('WIFI:T:nopass;S:Gäste;;');
  });
});

test('labels are printed from the first free one on; paper and layout have to belong together', async () => {
  const print = (values: object) => slips(staff, { voucherIds, layout: 'labels', ...values });
  const answer = await print({ paper: 'avery-l7160', firstLabel: 21 });
  await withPdf(answer.bytes, (pages) => expect(pages).toHaveLength(2));
  const refused = { status: 400, body: { message: 'layout-invalid' } };
  for (const values of [
    { paper: 'avery-l7160', firstLabel: 22 },
    { paper: 'avery-l7160', firstLabel: 31 },
    { paper: 'a4' },
    { paper: 'avery-5160', layout: 'slip' },
    { paper: '62mm', layout: 'sheet' },
    { paper: 'x'.repeat(1000) },
  ])
    expect(await print(values)).toMatchObject(refused);
});

test('without a language it is that of the user', async () => {
  const answer = await slips(api.admin, { voucherIds, layout: 'receipt', paper: '58mm' });
  await withPdf(answer.bytes, (pages) => expect(pages[0]?.texts).toContain('Zugangscode'));
});

test('a browser that prints gets the words of the slip, for vouchers that its user may see', async () => {
  const [id] = voucherIds;
  const slip = (browser: Browser, voucherId = id) =>
    browser.get(`/vouchers/${String(voucherId)}/slip?language=en`);
  expect(await slip(staff)).toMatchObject({
    status: 200,
    body: {
      ...{ siteName: 'Hauptgebäude', wifi: [{ label: 'Wi-Fi:', text: 'Gäste' }], text: 'Bis bald!' },
      ...{ qrText: 'WIFI:T:nopass;S:Gäste;;', codeLabel: 'Access code', formattedCode: '11111-22222' },
      facts: ['Valid for 8\u00A0hours from the first sign-in', 'For one sign-in'],
      steps: '1. Scan the QR code or choose the Wi-Fi “Gäste”.\n2. Enter the code on the page that opens.',
    },
  });
  expect((await slip(staff, foreignId)).status).toBe(404);
  expect((await staff.get(`/vouchers/${String(id)}/slip?language=xx`)).status).toBe(400);
});

test('the words of a slip have all limits', async () => {
  const { tables } = api.app;
  const place = await addSite(tables, 'Begrenzt');
  const voucher = { ...someVoucher({ code: '7777799999' }), down: 20_000, up: 5000, quotaMb: 1000 };
  await tables.vouchers.record(someRecord(place, { voucher }));
  const [limited] = await tables.voucherSearch.byCode('7777799999');
  expect((await api.admin.get(`/vouchers/${String(limited!.id)}/slip?language=en`)).body).toMatchObject({
    facts: [
      'Valid for 8\u00A0hours from the first sign-in',
      'For one sign-in',
      'Download up to 20\u00A0Mbit/s',
      'Upload up to 5\u00A0Mbit/s',
      'Data: 1\u00A0GB',
    ],
  });
});

test('a voucher that is not there and one of another site are the same to staff', async () => {
  for (const id of [foreignId, 999_999])
    expect(await slips(staff, { voucherIds: [...voucherIds, id], layout: 'slip' })).toMatchObject({
      status: 404,
      body: { message: 'not-found' },
    });
  expect((await slips(api.admin, { voucherIds: [foreignId], layout: 'slip' })).status).toBe(200);
});

test.each([
  ['neither vouchers nor an order', { layout: 'slip' }, 'selection-invalid'],
  ['no vouchers', { voucherIds: [], layout: 'slip' }, 'selection-invalid'],
  [
    'vouchers and an order',
    { voucherIds: [1], orderId: '7d7e2f9e-0a54-4c8e-8f3e-3d2c1b0a9f88', layout: 'slip' },
    'selection-invalid',
  ],
  [
    '501 vouchers',
    { voucherIds: Array.from({ length: 501 }, (_, id) => id + 1), layout: 'slip' },
    'selection-invalid',
  ],
  ['a slip on a roll', { voucherIds: [1], layout: 'slip', paper: '58mm' }, 'layout-invalid'],
  ['a sheet on a roll', { voucherIds: [1], layout: 'sheet', paper: '80mm' }, 'layout-invalid'],
  ['a receipt on a sheet', { voucherIds: [1], layout: 'receipt', paper: 'a4' }, 'layout-invalid'],
  ['11 rows', { voucherIds: [1], layout: 'sheet', rows: 11 }, 'layout-invalid'],
  ['4 columns', { voucherIds: [1], layout: 'sheet', columns: 4 }, 'layout-invalid'],
  ['a language that is not there', { voucherIds: [1], layout: 'slip', language: 'sv' }, 'language-invalid'],
])('%s: 400', async (_name, body, message) => {
  expect(await slips(api.admin, body)).toMatchObject({ status: 400, body: { message } });
});

test('an order that is not there: 404', async () => {
  const orderId = '7d7e2f9e-0a54-4c8e-8f3e-3d2c1b0a9f88';
  expect((await slips(api.admin, { orderId, layout: 'slip' })).status).toBe(404);
});

test('the vouchers of an order are printed for who placed it and for administrators', async () => {
  const { database, tables } = api.app;
  const orderId = '0b8f4a52-58c4-4c3e-9d1c-6a3f6d0c2b11';
  const [site] = await tables.sites.all();
  const [user] = (await tables.users.all()).filter(({ name }) => name === 'Jonas');
  const place = { siteId: site!.id, controllerId: site!.controllerId };
  await database.write('orders').insert({
    id: orderId,
    user_id: user!.id,
    site_id: place.siteId,
    fingerprint: '',
    name: '',
    count: 1,
    made: 1,
    state: 'made',
    created_at: 0,
  });
  await tables.vouchers.record(
    someRecord(place, { intentId: orderId, voucher: someVoucher({ code: '7777788888' }) }),
  );
  const other = await signInNew(api, api.admin, { name: 'Mira', role: 'staff', siteIds: [place.siteId] });
  for (const browser of [staff, api.admin])
    await withPdf((await slips(browser, { orderId, layout: 'slip' })).bytes, (pages) =>
      expect(pages[0]?.texts).toContain('77777-88888'),
    );
  expect((await slips(other, { orderId, layout: 'slip' })).status).toBe(404);
});

test('revoked and expired vouchers are left out of a sheet, and are not printed alone', async () => {
  const { write } = api.database;
  const [first, second] = voucherIds;
  for (const over of [{ revoked_at: 1 }, { expires_at: 1 }]) {
    await write('vouchers').where({ id: first }).update(over);
    const answer = await slips(staff, { voucherIds, layout: 'sheet' });
    await withPdf(answer.bytes, ([sheet]) => {
      expect(sheet?.texts).toContain('33333-44444');
      expect(sheet?.texts).not.toContain('11111-22222');
    });
    expect(await slips(staff, { voucherIds: [first], layout: 'slip' })).toMatchObject({
      status: 409,
      body: { message: 'no-longer-valid' },
    });
    await write('vouchers').where({ id: first }).update({ revoked_at: null, expires_at: null });
  }
  expect((await slips(staff, { voucherIds: [first, second], layout: 'slip' })).status).toBe(200);
});
