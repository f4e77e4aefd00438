import { beforeAll, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import type { Answer } from '../support/service.js';
import { until } from '../support/until.js';
import {
  expectNothingHalfWritten,
  expectSettled,
  expectWholeFiles,
  readDataSnapshot,
} from './dataSnapshot.js';

const minute = 60_000;
const clock = makeClock();

const api = withApi({ system: { now: clock.now } });

beforeAll(async () => {
  await api.get('/sites.php', { key: api.key });
});

/** A long name fills the file quickly. */
const order = (number: number): Promise<Answer> =>
  api.createVoucher(
    { name: `${number} ${'😀'.repeat(250)}` },
    { headers: { 'Idempotency-Key': `order-${number}` } },
  );

/** SQLite says SQLITE_FULL at this size just as it does when the disk has no room. */
const setRoom = async (pages: number | 'as it is'): Promise<void> => {
  const { write } = api.database;
  const [{ page_count: count }] = (await write.raw('PRAGMA page_count')) as [{ page_count: number }];
  await write.raw(`PRAGMA max_page_count = ${pages === 'as it is' ? count : pages}`);
};

const full = { error: 'server_error', message: 'the disk of the database is full' };
const answers: Answer[] = [];

test('a full disk gives 500 with the text of the exception, without SQL, and nothing is half-written', async () => {
  await setRoom('as it is');
  const refused = () => answers.filter(({ status }) => status === 500);
  while (refused().length < 12 && answers.length < 200) answers.push(await order(answers.length));
  expect(refused()).toHaveLength(12);
  for (const { status, body } of answers) {
    if (status === 500) expect(body).toEqual(full);
    else expect(status).toBe(201);
  }
  const books = await readDataSnapshot(api.dataDir);
  expectNothingHalfWritten(books);
  // It was full at both writes: before the controller was asked, and after it had made a voucher.
  const lost = books.made.length - books.vouchers.length;
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThan(12);
  expect(books.vouchers).toHaveLength(answers.length - 12);
});

test('several orders at once fail on a full disk each with its own 500', async () => {
  const before = (await readDataSnapshot(api.dataDir)).vouchers.length;
  const together = await Promise.all(Array.from({ length: 10 }, (_, number) => order(1000 + number)));
  for (const { status, body } of together) {
    if (status === 500) expect(body).toEqual(full);
    else expect(status).toBe(201);
  }
  expect(together.some(({ status }) => status === 500)).toBe(true);
  const books = await readDataSnapshot(api.dataDir);
  expectNothingHalfWritten(books);
  expect(books.vouchers).toHaveLength(before + together.filter(({ status }) => status === 201).length);
});

test('while the disk is full lists are answered and show what is recorded', async () => {
  const { status, body } = await api.listVouchers();
  expect(status).toBe(200);
  const { vouchers } = body as { vouchers: { voucher_code: string }[] };
  const recorded = (await readDataSnapshot(api.dataDir)).vouchers.map(({ code }) => code);
  expect(vouchers.map(({ voucher_code: code }) => code).sort()).toEqual([...recorded].sort());
  expect((await api.get('/sites.php', { key: api.key })).status).toBe(200);
  expect((await api.get('/healthz')).status).toBe(200);
});

/** Asks until the answer contains the text: /readyz gives the database a second, too little for a busy machine. */
const readyz = (text: string): Promise<Answer> =>
  until(`/readyz says ${text}`, async () => {
    clock.advance(minute);
    const answer = await api.get('/readyz');
    return answer.text.includes(text) && answer;
  });

test('while orders fail on a full disk, /readyz says so and /healthz stays 200', async () => {
  expect(await readyz(full.message)).toMatchObject({
    status: 503,
    body: { status: 'unavailable', reason: full.message },
  });
  expect((await api.get('/healthz')).status).toBe(200);
});

test('the reconciler gives nothing up while it can not write', async () => {
  clock.advance(2 * minute);
  const before = await readDataSnapshot(api.dataDir);
  await api.app.reconcile().catch(() => undefined);
  const after = await readDataSnapshot(api.dataDir);
  expectNothingHalfWritten(after);
  expect(after.made).toEqual(before.made);
});

test('with room again the next order is 201, and what the controller had made is adopted', async () => {
  await setRoom(1_000_000);
  expect((await readyz('ready')).status).toBe(200);
  expect((await order(500)).status).toBe(201);
  clock.advance(minute);
  expect(await api.app.reconcile()).toBe(0);
  expectSettled(await readDataSnapshot(api.dataDir));
});

test('a repetition with the same Idempotency-Key finds the adopted voucher, or makes the missing one', async () => {
  for (const [number, first] of answers.entries()) {
    const again = await order(number);
    expect(again.status).toBe(201);
    if (first.status === 201) expect(again.body).toEqual(first.body);
  }
  const books = await readDataSnapshot(api.dataDir);
  expectSettled(books);
  const numbers = books.made.map(({ name }) => name.split('_')[1]?.split(' ')[0]);
  for (const number of answers.keys()) {
    expect(numbers.filter((other) => other === String(number))).toHaveLength(1);
  }
  await expectWholeFiles(api.dataDir);
});

test('no log line of all this holds a key or a code', async () => {
  const log = api.lines.join('\n');
  const codes = (await readDataSnapshot(api.dataDir)).made.map(({ code }) => code);
  expect(log.includes('the disk of the database is full')).toBe(true);
  expect([api.key, ...codes].filter((secret) => log.includes(secret))).toEqual([]);
});
