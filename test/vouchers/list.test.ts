import { expect, test } from '@jest/globals';
import { nodeSystem } from '../../src/lib/system.js';
import { openDatabase } from '../../src/database/database.js';
import { makeTables } from '../../src/app/tables.js';
import { makeListVouchers } from '../../src/vouchers/list.js';
import { withApi } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import { statementsOf } from '../support/queryLog.js';
import { someRecord, someVoucher } from '../support/records.js';
import type { Answer } from '../support/service.js';
import { controllerOf, recordVoucher } from '../support/serviceInternals.js';

const clock = makeClock();
const api = withApi({ system: clock, perTest: 'site' });

const list = (headers = {}): Promise<Answer> => api.listVouchers(api.siteId, { headers });
const vouchers = async () =>
  ((await list()).body as { vouchers: { voucher_code: string; status: string }[] }).vouchers;

test('a list read that begins after a 201 was sent contains that voucher', async () => {
  expect(await vouchers()).toEqual([]);
  for (const count of [1, 2, 3]) {
    const created = await api.createVoucher({ name: 'Berger' });
    const { code } = created.body as { code: string };
    const listed = await vouchers();
    expect(listed).toHaveLength(count);
    expect(listed[0]?.voucher_code).toBe(code);
  }
});

test('a voucher that expires before older ones is listed as expired from then on', async () => {
  const minute = 60_000;
  for (const [code, minutes] of [
    ['long', 480],
    ['short', 1],
  ] as const)
    await recordVoucher(api, api.siteId, { code, expiresAt: clock.now() + minutes * minute });
  const states = async () =>
    (await vouchers()).map(({ voucher_code, status }) => `${voucher_code} ${status}`);
  expect((await states()).toSorted()).toEqual(['long valid', 'short valid']);
  clock.advance(minute);
  expect((await states()).toSorted()).toEqual(['long valid', 'short expired']);
});

test('a voucher that another process recorded is in the next list', async () => {
  expect(await vouchers()).toEqual([]);
  const other = openDatabase(`sqlite:${api.dataDir}/voucherd.sqlite`);
  try {
    const place = { siteId: api.siteId, controllerId: await controllerOf(api, api.siteId) };
    await makeTables(other).vouchers.record(someRecord(place, { voucher: someVoucher({ code: 'there' }) }));
  } finally {
    await other.close();
  }
  expect(await vouchers()).toMatchObject([{ voucher_code: 'there' }]);
});

test.each([9e15, 8.64e15, 253_402_300_800_000])(
  'a recorded time that no date can be, or RFC 3339 can not say, keeps no list from being read (%d)',
  async (time) => {
    await recordVoucher(api, api.siteId, { code: `endless ${time}`, createdAt: time, expiresAt: time });
    await recordVoucher(api, api.siteId, { code: `usual ${time}` });
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
  await recordVoucher(api, api.siteId, { code: 'one', expiresAt });
  await recordVoucher(api, api.siteId, { code: 'two', expiresAt: expiresAt + 60_000, status: 'used' });
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
  await recordVoucher(api, api.siteId, { expiresAt: clock.now() + 1000 });
  const first = (await list()).headers.etag ?? '';
  expect((await list({ 'If-None-Match': first })).status).toBe(304);
  clock.advance(1000);
  const second = (await list({ 'If-None-Match': first })).headers.etag ?? '';
  expect(second).not.toBe(first);
  await recordVoucher(api, api.siteId, {});
  expect((await list({ 'If-None-Match': second })).status).toBe(200);
});

test('a list that is kept is not read from the records again', async () => {
  await recordVoucher(api, api.siteId, {});
  await list();
  const read: string[] = [];
  const note = ({ sql }: { sql: string }): void => void read.push(sql);
  api.database.read.on('query', note);
  await Promise.all(Array.from({ length: 10 }, () => list()));
  expect(read.filter((sql) => sql.includes('`vouchers`'))).toEqual([]);
  await recordVoucher(api, api.siteId, {});
  await list();
  expect(read.filter((sql) => sql.includes('`vouchers`'))).not.toEqual([]);
  api.database.read.removeListener('query', note);
});

test('the largest id that a request can hold has an empty list', async () => {
  const answer = await api.get(`/vouchers.php?site_id=${'9'.repeat(300)}`, { key: api.key });
  expect(answer).toMatchObject({ status: 200, body: { vouchers: [] } });
});

test('when an expiry passes, the list is loaded once, however many ask for it at that moment', async () => {
  const { tables, database } = api.app;
  await recordVoucher(api, api.siteId, { expiresAt: clock.now() + 60_000 });
  const listVouchers = makeListVouchers(tables, { ...nodeSystem, ...clock });
  await listVouchers(api.siteId);
  clock.advance(60_000);
  const statements = await statementsOf(database, () =>
    Promise.all(Array.from({ length: 50 }, async () => listVouchers(api.siteId))),
  );
  expect(statements.filter((sql) => sql.includes('vouchers'))).toHaveLength(1);
});
