import { beforeAll, expect, test } from '@jest/globals';
import { startReceiptPrinter } from '../../simulators/receiptPrinter.js';
import { withAdmin } from '../support/api.js';
import { forAllTests } from '../support/fixture.js';
import { addSite, someRecord, someVoucher } from '../support/records.js';
import { signInNew, type Browser } from '../support/web.js';

const api = withAdmin({ development: true });
let staff: Browser;
let own: Awaited<ReturnType<typeof addSite>>;
let other: typeof own;

const simulator = forAllTests(startReceiptPrinter, 'stop');
beforeAll(async () => {
  const { tables } = api.app;
  own = await addSite(tables, 'Hauptgebäude');
  other = await addSite(tables, 'Anderswo');
  staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [own.siteId] });
});

const valid = {
  name: 'Empfang',
  host: '192.168.1.50',
  port: 9100,
  paper: '80mm',
  siteIds: null as number[] | null,
};
const here = () => ({ ...valid, host: '127.0.0.1', port: simulator.port });

const record = async (place: typeof own, code: string): Promise<number> => {
  const { tables } = api.app;
  await tables.vouchers.record(someRecord(place, { voucher: someVoucher({ code }) }));
  return (await tables.voucherSearch.byCode(code))[0]!.id;
};
const add = async (values: object): Promise<number> => {
  const answer = await api.admin.post('/printers', { ...here(), ...values });
  expect(answer.status).toBe(201);
  return (answer.body as { id: number }).id;
};

test('an administrator adds, changes and removes a printer, and the audit log tells', async () => {
  const added = await api.admin.post('/printers', {
    ...valid,
    siteIds: [other.siteId, own.siteId, own.siteId],
  });
  const id = (added.body as { id: number }).id;
  expect(added).toMatchObject({ status: 201, body: { ...valid, siteIds: [own.siteId, other.siteId] } });
  const changed = await api.admin.put(`/printers/${String(id)}`, { ...valid, name: 'Bar', paper: '58mm' });
  expect(changed).toMatchObject({ status: 200, body: { ...valid, id, name: 'Bar', paper: '58mm' } });
  expect((await api.admin.get('/printers')).body).toEqual({ printers: [changed.body] });
  expect((await api.admin.delete(`/printers/${String(id)}`)).status).toBe(204);
  expect((await api.admin.get('/printers')).body).toEqual({ printers: [] });
  expect((await api.admin.get('/audit?area=printer')).body).toMatchObject({
    entries: [
      { action: 'printer.remove', subjectName: 'Bar' },
      { action: 'printer.change', subjectName: 'Bar', detail: { paper: '58mm', sites: 'all' } },
      { action: 'printer.add', subjectName: 'Empfang', detail: { host: '192.168.1.50', port: 9100 } },
    ],
  });
});

test.each([
  ['no name', { name: ' ' }, 400, 'name-invalid'],
  ['a name with a line break', { name: 'a\nb' }, 400, 'name-invalid'],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 400, 'name-invalid'],
  ['an address instead of a host', { host: 'http://192.168.1.50' }, 400, 'host-invalid'],
  ['the address of a cloud’s credentials', { host: '169.254.169.254' }, 409, 'printer-address-refused'],
  ['port 0', { port: 0 }, 400, 'port-invalid'],
  ['other paper', { paper: 'a4' }, 400, 'layout-invalid'],
  ['a site that is not there', { siteIds: [999_999] }, 409, 'unknown-site'],
])('%s is refused', async (_name, values, status, message) => {
  const before = (await api.admin.get('/printers')).body;
  expect(await api.admin.post('/printers', { ...valid, ...values })).toMatchObject({
    status,
    body: { message },
  });
  expect((await api.admin.get('/printers')).body).toEqual(before);
});

test('two printers can not have one name', async () => {
  const id = await add({ name: 'Einmal' });
  expect(await api.admin.post('/printers', { ...valid, name: 'einmal' })).toMatchObject({
    status: 409,
    body: { message: 'name-taken' },
  });
  await api.admin.delete(`/printers/${String(id)}`);
});

test('staff print receipts on a printer of their site, one connection at a time', async () => {
  const id = await add({ name: 'Hier', siteIds: [own.siteId] });
  const voucherIds = [await record(own, '1111122222'), await record(own, '3333344444')];
  const path = `/printers/${String(id)}/receipts`;
  const answers = await Promise.all([
    staff.post(path, { voucherIds, language: 'en' }),
    staff.post(path, { voucherIds: voucherIds.slice(1) }),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { outcome: 'confirmed' } });
  const printed = simulator.receipts().map(({ lines }) => lines.find((line) => /^\d{5}-/.test(line)));
  expect(printed.sort()).toEqual(['11111-22222', '33333-44444', '33333-44444']);
  expect(simulator.receipts().some(({ lines }) => lines.includes('Access code'))).toBe(true);
  expect(simulator.connections()).toEqual({ total: 2, most: 1 });
  expect((await staff.get('/desk')).body).toMatchObject({ sites: [{ printers: [{ id, name: 'Hier' }] }] });

  const foreign = await record(other, '5555566666');
  expect((await staff.post(path, { voucherIds: [foreign] })).status).toBe(404);
  expect(await api.admin.post(path, { voucherIds: [foreign] })).toMatchObject({
    status: 409,
    body: { message: 'printer-of-other-site' },
  });
  const elsewhere = await add({ name: 'Dort', siteIds: [other.siteId] });
  expect((await staff.post(`/printers/${String(elsewhere)}/receipts`, { voucherIds })).status).toBe(404);
  expect((await staff.get('/desk')).body).toMatchObject({ sites: [{ printers: [{ id, name: 'Hier' }] }] });
});

test('more than 50 receipts are refused', async () => {
  const id = await add({ name: 'Viele' });
  const voucherIds: number[] = [];
  for (let index = 0; index < 51; index += 1)
    voucherIds.push(await record(own, String(8_000_000_000 + index)));
  expect(await staff.post(`/printers/${String(id)}/receipts`, { voucherIds })).toMatchObject({
    status: 400,
    body: { message: 'too-many-receipts' },
  });
});

test('a test prints a receipt, and says why it can not', async () => {
  const id = await add({ name: 'Probe' });
  const runTest = () => api.admin.post(`/printers/${String(id)}/test`);
  expect(await runTest()).toMatchObject({ status: 200, body: { outcome: 'confirmed' } });
  expect(simulator.receipts().at(-1)?.lines).toEqual(expect.arrayContaining(['Testdruck', 'Probe']));
  simulator.behave('print without answers');
  expect(await runTest()).toMatchObject({ status: 200, body: { outcome: 'sent' } });
  simulator.behave('no paper');
  expect(await runTest()).toMatchObject({ status: 409, body: { message: 'printer-no-paper' } });
  await simulator.stop();
  expect(await runTest()).toMatchObject({
    status: 409,
    body: { message: 'printer-unreachable' },
  });
});
