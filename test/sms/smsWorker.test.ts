import { describe, expect, test } from '@jest/globals';
import { startTwilioSimulator, type TwilioFault } from '../../simulators/twilio.js';
import { startWebhookTarget } from '../../simulators/webhookTarget.js';
import type { SmsConnection } from '../../src/config/smsEnvironment.js';
import { makeSmsSender } from '../../src/sms/smsSender.js';
import { makeSmsTask } from '../../src/sms/smsTask.js';
import { makeSsrfGuard } from '../../src/ssrf/ssrfGuard.js';
import { sharedCertificate } from '../support/certificate.js';
import { forEachTest } from '../support/fixture.js';
import { makeGuestOutbox } from '../support/guestOutbox.js';
import { outboxIdOf } from '../support/outbox.js';
import { until } from '../support/until.js';

const number = '+491711234567';
const outbox = forEachTest(() => makeGuestOutbox('sms', number), 'drop');
const twilio = forEachTest(startTwilioSimulator, 'stop');

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
} = {}) =>
  outbox.makeWorker(
    makeSmsTask({
      findSlip: (sms) => prepare().then(() => outbox.findSlip(sms)),
      provider: () => ({ connection, secret }),
      sender: makeSmsSender(makeSsrfGuard(['127.0.0.1']), timeoutMs),
      metrics: { sms: (outcome) => void outbox.outcomes.push(outcome) },
    }),
    owner,
  );

test('what waits is sent once, by several processes, too', async () => {
  for (const id of ['a', 'b', 'c', 'd']) await outbox.add(id);
  const workers = ['one', 'two', 'three'].map((owner) => makeWorker({ owner }));
  await Promise.all(workers.map(({ runPass }) => runPass()));
  await Promise.all(workers.map(({ runPass }) => runPass()));
  expect(twilio.accepted).toHaveLength(4);
  expect(twilio.accepted[0]).toMatchObject({ to: number, from: '+15005550006', messagingServiceSid: null });
  expect(await outbox.find('a')).toMatchObject({
    state: 'sent',
    tries: 1,
    at: outbox.clock.now,
    reason: null,
    begunAt: null,
  });
  expect(outbox.outcomes).toEqual(['sent', 'sent', 'sent', 'sent']);
  // Numbers and secrets are in no line of the log.
  expect(outbox.lines.join('')).not.toContain('1711234567');
  expect(outbox.lines.join('')).not.toContain(twilio.authToken);
});

test('a messaging service is named as one', async () => {
  await outbox.add('a');
  await makeWorker({ connection: { ...twilioConnection(), from: `MG${'0'.repeat(32)}` } }).runPass();
  expect(twilio.accepted).toMatchObject([{ from: null, messagingServiceSid: `MG${'0'.repeat(32)}` }]);
});

test.each([
  ['revoked', async () => outbox.database.write('vouchers').update({ revoked_at: outbox.clock.now })],
  ['expired', async () => outbox.database.write('vouchers').update({ expires_at: outbox.clock.now })],
])('a code that was %s while its SMS waited is not sent', async (_, end) => {
  await outbox.add('a');
  await end();
  await makeWorker().runPass();
  expect(twilio.requests()).toBe(0);
  expect(await outbox.find('a')).toMatchObject({
    state: 'failed',
    reason: { code: 'voucher-ended', values: {} },
  });
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
    await outbox.add('a');
    const worker = makeWorker();
    await worker.runPass();
    const postponed = await outbox.find('a');
    expect(postponed).toMatchObject({ state: 'waiting', tries: 1, reason, begunAt: null });
    expect(postponed!.at).toBeGreaterThanOrEqual(outbox.clock.now + minDelayMs);
    outbox.clock.now = postponed!.at;
    await worker.runPass();
    expect(await outbox.find('a')).toMatchObject({ state: 'sent', tries: 2, reason: null });
    expect(twilio.accepted).toHaveLength(1);
    expect(outbox.outcomes).toEqual(['postponed', 'sent']);
  });

  test('no server, and one whose certificate nobody trusts', async () => {
    const broken = await startWebhookTarget({ tls: await sharedCertificate() });
    for (const [id, url, code] of [
      ['a', 'http://127.0.0.1:1', 'refused'],
      ['b', broken.url, 'certificate'],
    ] as const) {
      await outbox.add(id);
      await makeWorker({ connection: { ...twilioConnection(), url } }).runPass();
      expect(await outbox.find(id)).toMatchObject({
        state: 'waiting',
        tries: 1,
        reason: { code: 'not-reached', values: { attempt: { code } } },
      });
      await outbox.database.write('outbox').update({ at: outbox.clock.now + 3_600_000 });
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
    await outbox.add('a');
    // Long enough to be connected on a busy machine.
    const worker = makeWorker({ timeoutMs: fault.does === 'hang' ? 3000 : 60_000 });
    await worker.runPass();
    expect(await outbox.find('a')).toMatchObject({ state: 'failed', tries: 1, reason: { code } });
    outbox.clock.now += 86_400_000;
    await worker.runPass();
    expect(twilio.requests()).toBe(1);
    expect(twilio.accepted).toHaveLength(accepted);
  });

  test('a killed process leaves an SMS that nobody sends again, and says so', async () => {
    await outbox.add('a');
    await outbox.tables.outbox.begin(await outboxIdOf(outbox.database, 'a'), outbox.clock.now);
    const worker = makeWorker();
    outbox.clock.now += 59_000;
    await worker.runPass();
    // Its process may still be at it.
    expect(await outbox.find('a')).toMatchObject({ state: 'waiting' });
    outbox.clock.now += 2000;
    await worker.runPass();
    expect(await outbox.find('a')).toMatchObject({
      state: 'failed',
      reason: { code: 'interrupted', values: {} },
    });
    expect(twilio.requests()).toBe(0);
    // It was not dead after all.
    await outbox.tables.outbox.settle(await outboxIdOf(outbox.database, 'a'), 'sent', null, outbox.clock.now);
    expect(await outbox.find('a')).toMatchObject({ state: 'sent', reason: null });
  });
});

describe('a process that has lost its lease leaves the attempt of another one', () => {
  test.each([
    ['when it fails', false],
    ['when it ends', true],
  ])('%s', async (_, ends) => {
    await outbox.add('a');
    const worker = makeWorker({
      prepare: async () => {
        await outbox.tables.outbox.begin(await outboxIdOf(outbox.database, 'a'), outbox.clock.now);
        if (ends) void worker.stop();
        throw new Error('no answer');
      },
    });
    await worker.runPass();
    expect(await outbox.find('a')).toMatchObject({ state: 'waiting', tries: 0, begunAt: outbox.clock.now });
  });
});

test('a number that the provider refuses fails for good, and the reason does not repeat it', async () => {
  await outbox.add('a');
  await outbox.database
    .write('outbox')
    .update({ message: JSON.stringify({ to: '+0123456789', language: 'de', senderId: 1, notice: null }) });
  await makeWorker().runPass();
  expect(await outbox.find('a')).toMatchObject({
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
  await outbox.add('a');
  await makeWorker().runPass();
  const { reason } = (await outbox.find('a'))!;
  const text = JSON.stringify(reason);
  expect(text).toContain('400 refused');
  expect(text.length).toBeLessThan(500);
  for (const hidden of [secret, number]) {
    expect(text).not.toContain(hidden);
    expect(outbox.lines.join('')).not.toContain(hidden);
  }
});

test('the shutdown waits for no provider: what it had is not known, what it had not is kept', async () => {
  twilio.fail({ does: 'hang', accepts: true });
  await outbox.add('a');
  const worker = makeWorker();
  const pass = worker.runPass();
  await until('the request', () => (twilio.requests() === 1 ? true : undefined));
  void worker.stop();
  await pass;
  expect(await outbox.find('a')).toMatchObject({ state: 'failed', reason: { code: 'not-confirmed' } });
  await outbox.add('b');
  await worker.runPass();
  expect(await outbox.find('b')).toMatchObject({ state: 'waiting', tries: 0 });
});

describe('any other provider', () => {
  const other = (url: string, values: Partial<SmsConnection> = {}): SmsConnection => ({
    ...{ ...twilioConnection(), kind: 'http', url, user: null, from: 'Hotel' },
    ...{ body: '{"to":["{to}"],"text":"{text}","from":"{from}"}', ...values },
  });

  test('gets JSON, a form or a query, which no value can break out of', async () => {
    const target = await startWebhookTarget();
    await outbox.database.write('sites').update({ name: '"}&x=1{to}\\' });
    const secret = 'a&b"c{to}';
    const forms: Partial<SmsConnection>[] = [
      { headers: 'X-Key: {secret}' },
      { format: 'form', body: 'to={digits}&text={text}\nkey={secret}', method: 'PUT' },
      { method: 'GET', url: `${target.url}/send?to={to}&text={text}&key={secret}` },
    ];
    for (const [index, values] of forms.entries()) {
      await outbox.add(String(index));
      await makeWorker({ connection: other(`${target.url}/send`, values), secret }).runPass();
      expect(await outbox.find(String(index))).toMatchObject({ state: 'sent' });
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
    await outbox.add('a');
    await makeWorker({ connection: other(target.url, { sentText: '"success":"100"' }) }).runPass();
    expect(await outbox.find('a')).toMatchObject({
      state: 'failed',
      reason: { code: 'answered', values: { answer: '200 {"success":"900"}' } },
    });
    await outbox.add('b');
    await makeWorker({ connection: other(target.url, { sentText: '"success":"900"' }) }).runPass();
    expect(await outbox.find('b')).toMatchObject({ state: 'sent' });
    await target.stop();
  });
});
