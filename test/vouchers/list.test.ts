import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { nodeSystem } from '../../src/lib/system.js';
import { openDatabase } from '../../src/database/database.js';
import { makeTables } from '../../src/app/tables.js';
import { makeListVouchers } from '../../src/vouchers/list.js';
import { makeClock, type Clock } from '../support/clock.js';
import { statementsOf } from '../support/queryLog.js';
import { someRecord, someVoucher } from '../support/records.js';
import { startService, type Answer, type TestService } from '../support/service.js';
import { controllerOf, recordVoucher } from '../support/serviceInternals.js';

let clock: Clock;
let service: TestService;
let key: string;
let siteId: number;
beforeAll(async () => {
  clock = makeClock();
  service = await startService({ system: clock });
  key = await service.addKey();
});
beforeEach(async () => {
  siteId = await service.addSite();
});
afterAll(() => service.stop());

const list = (headers = {}): Promise<Answer> =>
  service.get(`/vouchers.php?site_id=${siteId}`, { key, headers });
const vouchers = async () =>
  ((await list()).body as { vouchers: { voucher_code: string; status: string }[] }).vouchers;

test('a list read that begins after a 201 was sent contains that voucher', async () => {
  expect(await vouchers()).toEqual([]);
  for (const count of [1, 2, 3]) {
    const created = await service.post('/vouchers.php', { site_id: siteId, name: 'Berger' }, { key });
    const { code } = created.body as { code: string };
    const listed = await vouchers();
    expect(listed).toHaveLength(count);
    expect(listed[0]?.voucher_code).toBe(code);
  }
});

test('a voucher that another process recorded is in the next list', async () => {
  expect(await vouchers()).toEqual([]);
  const other = openDatabase(`sqlite:${service.dataDir}/voucherd.sqlite`);
  try {
    const place = { siteId, controllerId: await controllerOf(service, siteId) };
    await makeTables(other).vouchers.record(someRecord(place, { voucher: someVoucher({ code: 'there' }) }));
  } finally {
    await other.close();
  }
  expect(await vouchers()).toMatchObject([{ voucher_code: 'there' }]);
});

test.each([9e15, 8.64e15, 253_402_300_800_000])(
  'a recorded time that no date can be, or RFC 3339 can not say, keeps no list from being read (%d)',
  async (time) => {
    await recordVoucher(service, siteId, { code: `endless ${time}`, createdAt: time, expiresAt: time });
    await recordVoucher(service, siteId, { code: `usual ${time}` });
    const { status, body } = await list();
    expect(status).toBe(200);
    const end = '9999-12-31T23:59:59.999Z';
    expect(body).toMatchObject({
      vouchers: [
        { voucher_code: `endless ${time}`, created_at: end, expires_at: end, status: 'valid' },
        { voucher_code: `usual ${time}` },
      ],
    });
  },
);

test('a voucher becomes expired when its expiry passes, without anything being written', async () => {
  const expiresAt = clock.now() + 60_000;
  await recordVoucher(service, siteId, { code: 'one', expiresAt });
  await recordVoucher(service, siteId, { code: 'two', expiresAt: expiresAt + 60_000, status: 'used' });
  const states = async () => (await vouchers()).map(({ status }) => status);
  expect(await states()).toEqual(['used', 'valid']);
  clock.advance(59_999);
  expect(await states()).toEqual(['used', 'valid']);
  clock.advance(1);
  expect(await states()).toEqual(['used', 'expired']);
  clock.advance(60_000);
  expect(await states()).toEqual(['expired', 'expired']);
});

test('an ETag stays while the list is the same, and changes when a voucher expires or is added', async () => {
  await recordVoucher(service, siteId, { expiresAt: clock.now() + 1000 });
  const first = (await list()).headers.etag ?? '';
  expect((await list({ 'If-None-Match': first })).status).toBe(304);
  clock.advance(1000);
  const second = (await list({ 'If-None-Match': first })).headers.etag ?? '';
  expect(second).not.toBe(first);
  await recordVoucher(service, siteId, {});
  expect((await list({ 'If-None-Match': second })).status).toBe(200);
});

test('a list that is kept is not read from the records again', async () => {
  await recordVoucher(service, siteId, {});
  await list();
  const read: string[] = [];
  const note = ({ sql }: { sql: string }): void => void read.push(sql);
  service.service.database.read.on('query', note);
  await Promise.all(Array.from({ length: 10 }, () => list()));
  expect(read.filter((sql) => sql.includes('`vouchers`'))).toEqual([]);
  await recordVoucher(service, siteId, {});
  await list();
  expect(read.filter((sql) => sql.includes('`vouchers`'))).not.toEqual([]);
  service.service.database.read.removeListener('query', note);
});

test('the largest id that a request can hold has an empty list', async () => {
  const answer = await service.get(`/vouchers.php?site_id=${'9'.repeat(300)}`, { key });
  expect(answer).toMatchObject({ status: 200, body: { vouchers: [] } });
});

test('when an expiry passes, the list is loaded once, however many ask for it at that moment', async () => {
  const { tables, database } = service.service;
  await recordVoucher(service, siteId, { expiresAt: clock.now() + 60_000 });
  const listVouchers = makeListVouchers(tables, { ...nodeSystem, ...clock });
  await listVouchers(siteId);
  clock.advance(60_000);
  const statements = await statementsOf(database, () =>
    Promise.all(Array.from({ length: 50 }, async () => listVouchers(siteId))),
  );
  expect(statements.filter((sql) => sql.includes('vouchers'))).toHaveLength(1);
});
