import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startTwilioSimulator, type TwilioFault, type TwilioSimulator } from '../../simulators/twilio.js';
import { startWebhookTarget } from '../../simulators/webhookTarget.js';
import { makeTables, type Tables } from '../../src/app/tables.js';
import type { SmsConnection } from '../../src/config/smsEnvironment.js';
import type { Database } from '../../src/database/database.js';
import { nodeSystem } from '../../src/lib/system.js';
import { makePrepareLogo } from '../../src/printing/printedLogo.js';
import { makeMakeSlips } from '../../src/printing/printing.js';
import { makeSmsSender } from '../../src/sms/smsSender.js';
import { makeSmsTask } from '../../src/sms/smsTask.js';
import type { GuestMessage } from '../../src/guestMessages/guestMessageTable.js';
import { makeFindSlip } from '../../src/guestMessages/guestMessages.js';
import { makeOutboxWorker } from '../../src/outbox/outboxWorker.js';
import { makeSsrfGuard } from '../../src/ssrf/ssrfGuard.js';
import { sharedCertificate } from '../support/certificate.js';
import { makeSqliteDatabase, openPatiently, type TestDatabase } from '../support/databases.js';
import { addSite, someRecord, someTime } from '../support/records.js';
import { outboxIdOf } from '../support/outbox.js';
import { until } from '../support/until.js';

let own: TestDatabase;
let database: Database;
let tables: Tables;
let twilio: TwilioSimulator;
let now: number;
let outcomes: string[];
let lines: string[];

beforeEach(async () => {
  own = await makeSqliteDatabase();
  database = openPatiently(own.url);
  now = someTime;
  [outcomes, lines] = [[], []];
  tables = makeTables(database, { now: () => now });
  twilio = await startTwilioSimulator();
  await tables.vouchers.record(someRecord(await addSite(tables)));
});
afterEach(async () => {
  await twilio.stop();
  await database.close();
  await own.drop();
});

const twilioConnection = (): SmsConnection => ({
  ...({ kind: 'twilio', url: twilio.url, user: twilio.accountSid, from: '+15005550006' } as const),
  ...({ method: 'POST', headers: '', format: 'json', body: '', sentText: null } as const),
});

const makeWorker = ({
  connection = twilioConnection(),
  secret = twilio.authToken,
  owner = 'one',
  timeoutMs = 60_000,
  prepare = () => Promise.resolve(),
} = {}) => {
  const makeSlips = makeMakeSlips({
    siteLogos: tables.siteLogos,
    openNetworks: () => Promise.resolve(new Map()),
    ownTexts: tables.ownTexts,
    prepareLogo: makePrepareLogo(),
    readBrand: () => Promise.resolve({ logo: null }),
  });
  const findSlip = makeFindSlip({ tables, makeSlips, clock: { now: () => now } });
  const task = makeSmsTask({
    findSlip: (sms) => prepare().then(() => findSlip(sms)),
    provider: () => ({ connection, secret }),
    sender: makeSmsSender(makeSsrfGuard(['127.0.0.1']), timeoutMs),
    metrics: { sms: (outcome) => void outcomes.push(outcome) },
  });
  const system = { ...nodeSystem, now: () => now };
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const worker = makeOutboxWorker(task, { tables, system, log, owner });
  return { stop: worker.stop, runPass: () => worker.runPass().then(worker.idle) };
};

const number = '+491711234567';
const add = async (id: string): Promise<void> => {
  const caps = { perVoucher: 50, perDay: 100 };
  const sms = { id, voucherId: 1, userId: 1, to: number, language: 'de' };
  await tables.guestMessages.add('sms', sms, caps, {
    ...{ at: now, actorKind: 'user', actorName: 'Anna', address: null, action: 'voucher.sms', detail: {} },
  });
};
const find = async (id: string): Promise<GuestMessage<'sms'> | undefined> =>
  (await tables.guestMessages.ofVoucher('sms', 1, 50)).find((sms) => sms.id === id);

test('what waits is sent once, by several processes, too', async () => {
  for (const id of ['a', 'b', 'c', 'd']) await add(id);
  const workers = ['one', 'two', 'three'].map((owner) => makeWorker({ owner }));
  await Promise.all(workers.map(({ runPass }) => runPass()));
  await Promise.all(workers.map(({ runPass }) => runPass()));
  expect(twilio.accepted).toHaveLength(4);
  expect(twilio.accepted[0]).toMatchObject({ to: number, from: '+15005550006', messagingServiceSid: null });
  expect(await find('a')).toMatchObject({ state: 'sent', tries: 1, at: now, reason: null, begunAt: null });
  expect(outcomes).toEqual(['sent', 'sent', 'sent', 'sent']);
  // Numbers and secrets are in no line of the log.
  expect(lines.join('')).not.toContain('1711234567');
  expect(lines.join('')).not.toContain(twilio.authToken);
});

test('a messaging service is named as one', async () => {
  await add('a');
  await makeWorker({ connection: { ...twilioConnection(), from: `MG${'0'.repeat(32)}` } }).runPass();
  expect(twilio.accepted).toMatchObject([{ from: null, messagingServiceSid: `MG${'0'.repeat(32)}` }]);
});

test.each([
  ['revoked', async () => database.write('vouchers').update({ revoked_at: now })],
  ['expired', async () => database.write('vouchers').update({ expires_at: now })],
])('a code that was %s while its SMS waited is not sent', async (_, end) => {
  await add('a');
  await end();
  await makeWorker().runPass();
  expect(twilio.requests()).toBe(0);
  expect(await find('a')).toMatchObject({ state: 'failed', reason: { code: 'voucher-ended', values: {} } });
});

const answer = (status: number, body = '', headers = {}): TwilioFault => ({
  ...{ does: 'answer', status, body, headers },
});

describe('what the provider has certainly not accepted is tried again', () => {
  test.each<[string, TwilioFault, object, number]>([
    ['429 with Retry-After', answer(429, '', { 'retry-after': '7200' }), { code: 'throttled' }, 7_200_000],
    ['503', answer(503, 'down'), { code: 'answered', values: { answer: '503 down' } }, 1],
    ['a redirect', answer(302, '', { location: 'http://127.0.0.1:1/' }), { code: 'redirected' }, 1],
    ['401', answer(401, '{"code":20003,"message":"Authenticate","status":401}'), { code: 'credentials' }, 1],
  ])('%s', async (_, fault, reason, minDelayMs) => {
    twilio.fail(fault);
    await add('a');
    const worker = makeWorker();
    await worker.runPass();
    const postponed = await find('a');
    expect(postponed).toMatchObject({ state: 'waiting', tries: 1, reason, begunAt: null });
    expect(postponed!.at).toBeGreaterThanOrEqual(now + minDelayMs);
    now = postponed!.at;
    await worker.runPass();
    expect(await find('a')).toMatchObject({ state: 'sent', tries: 2, reason: null });
    expect(twilio.accepted).toHaveLength(1);
    expect(outcomes).toEqual(['postponed', 'sent']);
  });

  test('no server, and one whose certificate nobody trusts', async () => {
    const broken = await startWebhookTarget({ tls: await sharedCertificate() });
    for (const [id, url, code] of [
      ['a', 'http://127.0.0.1:1', 'refused'],
      ['b', broken.url, 'certificate'],
    ] as const) {
      await add(id);
      await makeWorker({ connection: { ...twilioConnection(), url } }).runPass();
      expect(await find(id)).toMatchObject({
        state: 'waiting',
        tries: 1,
        reason: { code: 'not-reached', values: { attempt: { code } } },
      });
      await database.write('outbox').update({ at: now + 3_600_000 });
    }
    expect(broken.requests).toEqual([]);
    await broken.stop();
  });
});

describe('what the provider may have accepted is never sent again', () => {
  test.each<[string, TwilioFault, string, number]>([
    ['a silent provider that has it', { does: 'hang', accepts: true }, 'not-confirmed', 1],
    ['a silent provider that has not', { does: 'hang', accepts: false }, 'not-confirmed', 0],
    ['a connection that breaks afterwards', { does: 'reset', accepts: true }, 'not-confirmed', 1],
    ['500', answer(500, 'oops'), 'provider-fault', 0],
    ['504', answer(504, 'oops'), 'provider-fault', 0],
  ])('%s', async (_, fault, code, accepted) => {
    twilio.fail(fault);
    await add('a');
    // Long enough to be connected on a busy machine.
    const worker = makeWorker({ timeoutMs: fault.does === 'hang' ? 3000 : 60_000 });
    await worker.runPass();
    expect(await find('a')).toMatchObject({ state: 'failed', tries: 1, reason: { code } });
    now += 86_400_000;
    await worker.runPass();
    expect(twilio.requests()).toBe(1);
    expect(twilio.accepted).toHaveLength(accepted);
  });

  test('a killed process leaves an SMS that nobody sends again, and says so', async () => {
    await add('a');
    await tables.outbox.begin(await outboxIdOf(database, 'a'), now);
    const worker = makeWorker();
    now += 59_000;
    await worker.runPass();
    // Its process may still be at it.
    expect(await find('a')).toMatchObject({ state: 'waiting' });
    now += 2000;
    await worker.runPass();
    expect(await find('a')).toMatchObject({ state: 'failed', reason: { code: 'interrupted', values: {} } });
    expect(twilio.requests()).toBe(0);
    // It was not dead after all.
    await tables.outbox.settle(await outboxIdOf(database, 'a'), 'sent', null, now);
    expect(await find('a')).toMatchObject({ state: 'sent', reason: null });
  });
});

describe('a process that has lost its lease leaves the attempt of another one', () => {
  test.each([
    ['when it fails', false],
    ['when it ends', true],
  ])('%s', async (_, ends) => {
    await add('a');
    const worker = makeWorker({
      prepare: async () => {
        await tables.outbox.begin(await outboxIdOf(database, 'a'), now);
        if (ends) void worker.stop();
        throw new Error('no answer');
      },
    });
    await worker.runPass();
    expect(await find('a')).toMatchObject({ state: 'waiting', tries: 0, begunAt: now });
  });
});

test('a number that the provider refuses fails for good, and the reason does not repeat it', async () => {
  await add('a');
  await database
    .write('outbox')
    .update({ message: JSON.stringify({ to: '+0123456789', language: 'de', senderId: 1, notice: null }) });
  await makeWorker().runPass();
  expect(await find('a')).toMatchObject({
    state: 'failed',
    reason: {
      code: 'answered',
      values: { answer: "400 21211: The 'To' number +01…89 is not a valid phone number." },
    },
  });
});

test('an error of 64 KiB is cut, and what it repeats of ours is hidden', async () => {
  const secret = twilio.authToken;
  twilio.fail(answer(400, `refused ${secret} ${number} ${'x'.repeat(65_536)}`));
  await add('a');
  await makeWorker().runPass();
  const { reason } = (await find('a'))!;
  const text = JSON.stringify(reason);
  expect(text).toContain('400 refused');
  expect(text.length).toBeLessThan(500);
  for (const hidden of [secret, number]) {
    expect(text).not.toContain(hidden);
    expect(lines.join('')).not.toContain(hidden);
  }
});

test('the shutdown waits for no provider: what it had is not known, what it had not is kept', async () => {
  twilio.fail({ does: 'hang', accepts: true });
  await add('a');
  const worker = makeWorker();
  const pass = worker.runPass();
  await until('the request', () => (twilio.requests() === 1 ? true : undefined));
  void worker.stop();
  await pass;
  expect(await find('a')).toMatchObject({ state: 'failed', reason: { code: 'not-confirmed' } });
  await add('b');
  await worker.runPass();
  expect(await find('b')).toMatchObject({ state: 'waiting', tries: 0 });
});

describe('any other provider', () => {
  const other = (url: string, values: Partial<SmsConnection> = {}): SmsConnection => ({
    ...{ ...twilioConnection(), kind: 'http', url, user: null, from: 'Hotel' },
    ...{ body: '{"to":["{to}"],"text":"{text}","from":"{from}"}', ...values },
  });

  test('gets JSON, a form or a query, which no value can break out of', async () => {
    const target = await startWebhookTarget();
    await database.write('sites').update({ name: '"}&x=1{to}\\' });
    const secret = 'a&b"c{to}';
    const forms: Partial<SmsConnection>[] = [
      { headers: 'X-Key: {secret}' },
      { format: 'form', body: 'to={digits}&text={text}\nkey={secret}', method: 'PUT' },
      { method: 'GET', url: `${target.url}/send?to={to}&text={text}&key={secret}` },
    ];
    for (const [index, values] of forms.entries()) {
      await add(String(index));
      await makeWorker({ connection: other(`${target.url}/send`, values), secret }).runPass();
      expect(await find(String(index))).toMatchObject({ state: 'sent' });
    }
    const [json, form, query] = target.requests;
    expect(json).toMatchObject({ method: 'POST', headers: { 'x-key': secret } });
    const sent = JSON.parse(json!.body) as { text: string };
    expect(sent).toMatchObject({ to: [number], from: 'Hotel' });
    expect(sent.text).toMatch(/^"\}&x=1\{to\}\\\nZugangscode: \d{5}-\d{5}\nGültig/);
    expect(form).toMatchObject({ method: 'PUT' });
    expect(Object.fromEntries(new URLSearchParams(form!.body))).toEqual({
      ...{ to: number.slice(1), text: sent.text, key: secret },
    });
    expect(query).toMatchObject({ method: 'GET', body: '' });
    expect(Object.fromEntries(new URL(query!.path, target.url).searchParams)).toEqual({
      ...{ to: number, text: sent.text, key: secret },
    });
    await target.stop();
  });

  test('decides by its text which answer counts as sent', async () => {
    const target = await startWebhookTarget({
      otherwise: { does: 'answer', status: 200, body: '{"success":"900"}' },
    });
    await add('a');
    await makeWorker({ connection: other(target.url, { sentText: '"success":"100"' }) }).runPass();
    expect(await find('a')).toMatchObject({
      state: 'failed',
      reason: { code: 'answered', values: { answer: '200 {"success":"900"}' } },
    });
    await add('b');
    await makeWorker({ connection: other(target.url, { sentText: '"success":"900"' }) }).runPass();
    expect(await find('b')).toMatchObject({ state: 'sent' });
    await target.stop();
  });
});
