import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { mailTimeouts, type MailTimeouts } from '../../src/email/mailSender.js';
import { makeEmailTask } from '../../src/email/emailTask.js';
import { nodeSystem } from '../../src/lib/system.js';
import { makePrepareLogo } from '../../src/printing/printedLogo.js';
import { makeMakeSlips } from '../../src/printing/printing.js';
import type { Database } from '../../src/database/database.js';
import type { GuestMessage } from '../../src/guestMessages/guestMessageTable.js';
import { makeFindSlip } from '../../src/guestMessages/guestMessages.js';
import { makeOutboxWorker } from '../../src/outbox/outboxWorker.js';
import { makeTables, type Tables } from '../../src/app/tables.js';
import { makeSqliteDatabase, openPatiently, type TestDatabase } from '../support/databases.js';
import { startMailServer, startSilentServer, type MailServer } from '../support/mailServer.js';
import { addSite, someRecord, someTime } from '../support/records.js';
import { until } from '../support/until.js';

let own: TestDatabase;
let database: Database;
let tables: Tables;
let server: MailServer;
let now: number;

beforeEach(async () => {
  own = await makeSqliteDatabase();
  database = openPatiently(own.url);
  now = someTime;
  tables = makeTables(database, { now: () => now });
  server = await startMailServer();
  const place = await addSite(tables);
  await tables.vouchers.record(someRecord(place));
});
afterEach(async () => {
  await server.stop();
  await database.close();
  await own.drop();
});

/** What the worker reported to the metrics. */
let outcomes: string[];
beforeEach(() => {
  outcomes = [];
});

/** So long that no test waits for them but where it says so. */
const patient = {
  ...{ greetingMs: 60_000, commandsMs: 60_000, transferMs: 60_000, confirmationMs: 60_000, stopMs: 60_000 },
};

const makeWorker = (smtpUrl = server.url, timeouts: Partial<MailTimeouts> = {}, owner = 'one') => {
  const makeSlips = makeMakeSlips({
    siteLogos: tables.siteLogos,
    openNetworks: () => Promise.resolve(new Map()),
    ownTexts: tables.ownTexts,
    prepareLogo: makePrepareLogo(),
    readBrand: () => Promise.resolve({ logo: null }),
  });
  const task = makeEmailTask({
    findSlip: makeFindSlip({ tables, makeSlips, clock: { now: () => now } }),
    composeAccountMail: () => Promise.reject(new Error('there is none')),
    mail: () => ({ smtpUrl, from: 'Hotel <wifi@example.org>' }),
    timeouts: { ...patient, ...timeouts },
    metrics: { email: (outcome) => void outcomes.push(outcome) },
  });
  const system = { ...nodeSystem, now: () => now };
  const worker = makeOutboxWorker(task, { tables, system, log: pino({ level: 'silent' }), owner });
  return { stop: worker.stop, runPass: () => worker.runPass().then(worker.idle) };
};

const add = async (id: string): Promise<void> => {
  const email = { id, voucherId: 1, userId: 1, to: 'gast@example.org', language: 'de' };
  await tables.guestMessages.add(
    'email',
    email,
    { perVoucher: 50 },
    {
      ...{
        at: now,
        actorKind: 'user',
        actorName: 'Anna',
        address: null,
        action: 'voucher.email',
        detail: {},
      },
    },
  );
};
const find = async (id: string): Promise<GuestMessage<'email'> | undefined> =>
  (await tables.guestMessages.ofVoucher('email', 1, 50)).find((email) => email.id === id);

const idsOfMails = (): (string | undefined)[] =>
  server.mails.map(({ raw }) => /^Message-ID: <(\w)@voucherd>/im.exec(raw)?.[1]);

test('what waits is sent once', async () => {
  await add('b');
  now += 1;
  await add('a');
  const worker = makeWorker();
  await worker.runPass();
  await worker.runPass();
  expect(idsOfMails().sort()).toEqual(['a', 'b']);
  expect(server.mails[0]).toMatchObject({ from: 'wifi@example.org', to: ['gast@example.org'] });
  expect(await find('a')).toMatchObject({ state: 'sent', tries: 1, at: now, reason: null });
  expect(outcomes).toEqual(['sent', 'sent']);
});

test.each([
  ['revoked', async () => database.write('vouchers').update({ revoked_at: now })],
  ['expired', async () => database.write('vouchers').update({ expires_at: now })],
])('a code that was %s while its e-mail waited is not sent', async (_, end) => {
  await add('a');
  await end();
  await makeWorker().runPass();
  expect(server.mails).toEqual([]);
  expect(await find('a')).toMatchObject({ state: 'failed', reason: { code: 'voucher-ended', values: {} } });
});

test('a server that refuses for now is asked again later', async () => {
  server.answer({ code: 451, text: 'try again later' });
  await add('a');
  const worker = makeWorker();
  await worker.runPass();
  const postponed = await find('a');
  expect(postponed).toMatchObject({
    state: 'waiting',
    tries: 1,
    reason: { code: 'answered', values: { answer: '451 try again later' } },
  });
  server.answer(null);
  await worker.runPass();
  expect(server.mails).toHaveLength(0);
  now = postponed!.at;
  await worker.runPass();
  expect(server.mails).toHaveLength(1);
  expect(await find('a')).toMatchObject({ state: 'sent', tries: 2, reason: null });
  expect(outcomes).toEqual(['postponed', 'sent']);
});

test('a clock that is set back by hours keeps no e-mail waiting', async () => {
  server.answer({ code: 451, text: 'later' });
  await add('a');
  const worker = makeWorker();
  await worker.runPass();
  server.answer(null);
  now -= 4 * 3_600_000;
  await add('b');
  await worker.runPass();
  for (const id of ['a', 'b']) expect(await find(id)).toMatchObject({ state: 'sent' });
});

test('one that waits for its next attempt does not hold up the others', async () => {
  server.answer({ code: 451, text: 'later' });
  await add('a');
  const worker = makeWorker();
  await worker.runPass();
  server.answer(null);
  await add('b');
  await worker.runPass();
  expect(await find('a')).toMatchObject({ state: 'waiting' });
  expect(await find('b')).toMatchObject({ state: 'sent' });
});

test('a server that refuses for good is not asked again', async () => {
  server.answer({ code: 550, text: 'no such mailbox' });
  await add('a');
  const worker = makeWorker();
  await worker.runPass();
  now += 86_400_000;
  await worker.runPass();
  expect(await find('a')).toMatchObject({
    state: 'failed',
    tries: 1,
    reason: { code: 'answered', values: { answer: '550 no such mailbox' } },
  });
  expect(outcomes).toEqual(['failed']);
});

test('after the last attempt it has failed', async () => {
  server.answer({ code: 451, text: 'never' });
  await add('a');
  const worker = makeWorker();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await worker.runPass();
    now = Math.max(now, (await find('a'))!.at);
  }
  expect(await find('a')).toMatchObject({ state: 'failed', tries: 10 });
});

test('a server that says nothing, or is not there, ends at the deadline, and it is tried again', async () => {
  const silent = await startSilentServer();
  await add('a');
  await makeWorker(silent.url, { greetingMs: 2000 }).runPass();
  expect(await find('a')).toMatchObject({
    state: 'waiting',
    tries: 1,
    reason: { code: 'no-greeting', values: {} },
  });
  await silent.stop();
  now = (await find('a'))!.at;
  await makeWorker(silent.url).runPass();
  expect(await find('a')).toMatchObject({
    state: 'waiting',
    tries: 2,
    reason: { code: 'no-connection', values: { code: 'ECONNREFUSED' } },
  });
});

test('a mail server has ten minutes to confirm a message that it has, as RFC 5321 says', () => {
  expect(mailTimeouts.confirmationMs).toBeGreaterThanOrEqual(600_000);
  for (const step of ['greetingMs', 'commandsMs', 'transferMs'] as const)
    expect(mailTimeouts[step]).toBeGreaterThanOrEqual(300_000);
});

test('an e-mail that the server confirms late is sent once, and does not hold up others', async () => {
  const confirm = server.holdConfirmations();
  await add('a');
  const worker = makeWorker();
  const pass = worker.runPass();
  await until('the message', () => server.mails.length === 1);
  now += 18_000;
  await add('b');
  await until('the other one', () => server.mails.length === 2);
  // Another process, and the next pass.
  await makeWorker(server.url, {}, 'two').runPass();
  expect(idsOfMails()).toEqual(['a', 'b']);
  confirm();
  await pass;
  await worker.runPass();
  expect(server.mails).toHaveLength(2);
  for (const id of ['a', 'b']) expect(await find(id)).toMatchObject({ state: 'sent', tries: 1 });
});

test('an e-mail that the server never confirms may have been sent, and is not sent again', async () => {
  server.holdConfirmations();
  await add('a');
  // Long enough for the server to have it, on a busy machine too.
  await makeWorker(server.url, { confirmationMs: 2000 }).runPass();
  expect(await find('a')).toMatchObject({
    state: 'failed',
    tries: 1,
    reason: { code: 'not-confirmed', values: {} },
  });
  now += 86_400_000;
  await makeWorker().runPass();
  expect(server.mails).toHaveLength(1);
});

test('a new e-mail goes before those that were tried already', async () => {
  server.answer({ code: 451, text: 'later' });
  for (const id of ['a', 'b', 'c', 'd', 'e']) await add(id);
  await makeWorker().runPass();
  server.answer(null);
  now += 3_600_000;
  const confirm = server.holdConfirmations();
  const pass = makeWorker().runPass();
  // However many wait for another attempt, there is room for new ones.
  await until('the first messages', () => server.mails.length === 2);
  await add('n');
  await until('the new one', () => idsOfMails().includes('n'));
  expect(server.mails).toHaveLength(3);
  confirm();
  await pass;
  expect(idsOfMails().sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'n']);
});

test('a worker that stops gives up what no server has taken, and it waits for the next start', async () => {
  const silent = await startSilentServer();
  await add('a');
  const worker = makeWorker(silent.url);
  const pass = worker.runPass();
  await until('the connection', () => silent.connections() === 1);
  void worker.stop();
  await pass;
  await silent.stop();
  expect(await find('a')).toMatchObject({ state: 'waiting', tries: 0 });
});

test('a worker that stops waits a moment for the confirmation, and does not send it again', async () => {
  server.holdConfirmations();
  await add('a');
  const worker = makeWorker(server.url, { stopMs: 100 });
  const pass = worker.runPass();
  await until('the message', () => server.mails.length === 1);
  void worker.stop();
  await pass;
  expect(await find('a')).toMatchObject({
    state: 'failed',
    reason: { code: 'not-confirmed', values: {} },
  });
});

test('a worker that stops starts nothing new', async () => {
  await add('a');
  const worker = makeWorker();
  void worker.stop();
  await worker.runPass();
  expect(server.mails).toHaveLength(0);
});

test('settled e-mails are removed after their time, waiting ones stay', async () => {
  await add('a');
  await makeWorker().runPass();
  await add('b');
  expect(await tables.outbox.removeSettled(['email'], now)).toBe(0);
  expect(await tables.outbox.removeSettled(['email'], now + 1)).toBe(1);
  expect(await find('b')).toMatchObject({ state: 'waiting' });
});
