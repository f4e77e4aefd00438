import { expect, test } from '@jest/globals';
import { makeEmailTask } from '../../src/email/emailTask.js';
import { mailTimeouts, type MailTimeouts } from '../../src/email/mailSender.js';
import { forEachTest } from '../support/fixture.js';
import { makeGuestOutbox } from '../support/guestOutbox.js';
import { startMailServer, startSilentServer } from '../support/mailServer.js';
import { until } from '../support/until.js';

const outbox = forEachTest(() => makeGuestOutbox('email', 'gast@example.org'), 'drop');
const server = forEachTest(startMailServer, 'stop');

/** So long that no test waits for them but where it says so. */
const patient = {
  ...{ greetingMs: 60_000, commandsMs: 60_000, transferMs: 60_000, confirmationMs: 60_000, stopMs: 60_000 },
};

const makeWorker = (smtpUrl = server.url, timeouts: Partial<MailTimeouts> = {}, owner = 'one') =>
  outbox.makeWorker(
    makeEmailTask({
      findSlip: outbox.findSlip,
      composeAccountMail: () => Promise.reject(new Error('there is none')),
      mail: () => ({ smtpUrl, from: 'Hotel <wifi@example.org>' }),
      timeouts: { ...patient, ...timeouts },
      metrics: { email: (outcome) => void outbox.outcomes.push(outcome) },
    }),
    owner,
  );

const idsOfMails = (): (string | undefined)[] =>
  server.mails.map(({ raw }) => /^Message-ID: <(\w)@voucherd>/im.exec(raw)?.[1]);

test('what waits is sent once', async () => {
  await outbox.add('b');
  outbox.clock.now += 1;
  await outbox.add('a');
  const worker = makeWorker();
  await worker.runPass();
  await worker.runPass();
  expect(idsOfMails().sort()).toEqual(['a', 'b']);
  expect(server.mails[0]).toMatchObject({ from: 'wifi@example.org', to: ['gast@example.org'] });
  expect(await outbox.find('a')).toMatchObject({
    state: 'sent',
    tries: 1,
    at: outbox.clock.now,
    reason: null,
  });
  expect(outbox.outcomes).toEqual(['sent', 'sent']);
});

test.each([
  ['revoked', async () => outbox.database.write('vouchers').update({ revoked_at: outbox.clock.now })],
  ['expired', async () => outbox.database.write('vouchers').update({ expires_at: outbox.clock.now })],
])('a code that was %s while its e-mail waited is not sent', async (_, end) => {
  await outbox.add('a');
  await end();
  await makeWorker().runPass();
  expect(server.mails).toEqual([]);
  expect(await outbox.find('a')).toMatchObject({
    state: 'failed',
    reason: { code: 'voucher-ended', values: {} },
  });
});

test('a server that refuses for now is asked again later', async () => {
  server.answer({ code: 451, text: 'try again later' });
  await outbox.add('a');
  const worker = makeWorker();
  await worker.runPass();
  const postponed = await outbox.find('a');
  expect(postponed).toMatchObject({
    state: 'waiting',
    tries: 1,
    reason: { code: 'answered', values: { answer: '451 try again later' } },
  });
  server.answer(null);
  await worker.runPass();
  expect(server.mails).toHaveLength(0);
  outbox.clock.now = postponed!.at;
  await worker.runPass();
  expect(server.mails).toHaveLength(1);
  expect(await outbox.find('a')).toMatchObject({ state: 'sent', tries: 2, reason: null });
  expect(outbox.outcomes).toEqual(['postponed', 'sent']);
});

test('a clock that is set back by hours keeps no e-mail waiting', async () => {
  server.answer({ code: 451, text: 'later' });
  await outbox.add('a');
  const worker = makeWorker();
  await worker.runPass();
  server.answer(null);
  outbox.clock.now -= 4 * 3_600_000;
  await outbox.add('b');
  await worker.runPass();
  for (const id of ['a', 'b']) expect(await outbox.find(id)).toMatchObject({ state: 'sent' });
});

test('one that waits for its next attempt does not hold up the others', async () => {
  server.answer({ code: 451, text: 'later' });
  await outbox.add('a');
  const worker = makeWorker();
  await worker.runPass();
  server.answer(null);
  await outbox.add('b');
  await worker.runPass();
  expect(await outbox.find('a')).toMatchObject({ state: 'waiting' });
  expect(await outbox.find('b')).toMatchObject({ state: 'sent' });
});

test('a server that refuses for good is not asked again', async () => {
  server.answer({ code: 550, text: 'no such mailbox' });
  await outbox.add('a');
  const worker = makeWorker();
  await worker.runPass();
  outbox.clock.now += 86_400_000;
  await worker.runPass();
  expect(await outbox.find('a')).toMatchObject({
    state: 'failed',
    tries: 1,
    reason: { code: 'answered', values: { answer: '550 no such mailbox' } },
  });
  expect(outbox.outcomes).toEqual(['failed']);
});

test('after the last attempt it has failed', async () => {
  server.answer({ code: 451, text: 'never' });
  await outbox.add('a');
  const worker = makeWorker();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await worker.runPass();
    outbox.clock.now = Math.max(outbox.clock.now, (await outbox.find('a'))!.at);
  }
  expect(await outbox.find('a')).toMatchObject({ state: 'failed', tries: 10 });
});

test('a server that says nothing, or is not there, ends at the deadline, and it is tried again', async () => {
  const silent = await startSilentServer();
  await outbox.add('a');
  await makeWorker(silent.url, { greetingMs: 2000 }).runPass();
  expect(await outbox.find('a')).toMatchObject({
    state: 'waiting',
    tries: 1,
    reason: { code: 'no-greeting', values: {} },
  });
  await silent.stop();
  outbox.clock.now = (await outbox.find('a'))!.at;
  await makeWorker(silent.url).runPass();
  expect(await outbox.find('a')).toMatchObject({
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
  await outbox.add('a');
  const worker = makeWorker();
  const pass = worker.runPass();
  await until('the message', () => server.mails.length === 1);
  outbox.clock.now += 18_000;
  await outbox.add('b');
  await until('the other one', () => server.mails.length === 2);
  // Another process, and the next pass.
  await makeWorker(server.url, {}, 'two').runPass();
  expect(idsOfMails()).toEqual(['a', 'b']);
  confirm();
  await pass;
  await worker.runPass();
  expect(server.mails).toHaveLength(2);
  for (const id of ['a', 'b']) expect(await outbox.find(id)).toMatchObject({ state: 'sent', tries: 1 });
});

test('an e-mail that the server never confirms may have been sent, and is not sent again', async () => {
  server.holdConfirmations();
  await outbox.add('a');
  // Long enough for the server to have it, on a busy machine too.
  await makeWorker(server.url, { confirmationMs: 2000 }).runPass();
  expect(await outbox.find('a')).toMatchObject({
    state: 'failed',
    tries: 1,
    reason: { code: 'not-confirmed', values: {} },
  });
  outbox.clock.now += 86_400_000;
  await makeWorker().runPass();
  expect(server.mails).toHaveLength(1);
});

test('a new e-mail goes before those that were tried already', async () => {
  server.answer({ code: 451, text: 'later' });
  for (const id of ['a', 'b', 'c', 'd', 'e']) await outbox.add(id);
  await makeWorker().runPass();
  server.answer(null);
  outbox.clock.now += 3_600_000;
  const confirm = server.holdConfirmations();
  const pass = makeWorker().runPass();
  // However many wait for another attempt, there is room for new ones.
  await until('the first messages', () => server.mails.length === 2);
  await outbox.add('n');
  await until('the new one', () => idsOfMails().includes('n'));
  expect(server.mails).toHaveLength(3);
  confirm();
  await pass;
  expect(idsOfMails().sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'n']);
});

test('a worker that stops gives up what no server has taken, and it waits for the next start', async () => {
  const silent = await startSilentServer();
  await outbox.add('a');
  const worker = makeWorker(silent.url);
  const pass = worker.runPass();
  await until('the connection', () => silent.connections() === 1);
  void worker.stop();
  await pass;
  await silent.stop();
  expect(await outbox.find('a')).toMatchObject({ state: 'waiting', tries: 0 });
});

test('a worker that stops waits a moment for the confirmation, and does not send it again', async () => {
  server.holdConfirmations();
  await outbox.add('a');
  const worker = makeWorker(server.url, { stopMs: 100 });
  const pass = worker.runPass();
  await until('the message', () => server.mails.length === 1);
  void worker.stop();
  await pass;
  expect(await outbox.find('a')).toMatchObject({
    state: 'failed',
    reason: { code: 'not-confirmed', values: {} },
  });
});

test('a worker that stops starts nothing new', async () => {
  await outbox.add('a');
  const worker = makeWorker();
  void worker.stop();
  await worker.runPass();
  expect(server.mails).toHaveLength(0);
});

test('settled e-mails are removed after their time, waiting ones stay', async () => {
  await outbox.add('a');
  await makeWorker().runPass();
  await outbox.add('b');
  expect(await outbox.tables.outbox.removeSettled(['email'], outbox.clock.now)).toBe(0);
  expect(await outbox.tables.outbox.removeSettled(['email'], outbox.clock.now + 1)).toBe(1);
  expect(await outbox.find('b')).toMatchObject({ state: 'waiting' });
});
