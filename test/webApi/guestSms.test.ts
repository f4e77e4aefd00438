import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { startTwilioSimulator, type TwilioSimulator } from '../../simulators/twilio.js';
import { withAdmin } from '../support/api.js';
import { makeClock, type Clock } from '../support/clock.js';
import { plantSecrets } from '../support/secretLeaks.js';
import { rowsOf } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import { makeBrowser } from '../support/web.js';
import { decide, makeGuest } from './guestsFixture.js';

let twilio: TwilioSimulator;
let clock: Clock;
const numbers: string[] = [];
const api = withAdmin({
  beforeStart: async () => {
    [twilio, clock] = [await startTwilioSimulator(), makeClock()];
    plantSecrets(() => [twilio.authToken, ...numbers]);
    return {
      system: clock,
      development: true,
      env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1', TRUST_PROXY: '127.0.0.1' },
    };
  },
  site: { name: 'Hauptgebäude' },
});
afterAll(() => twilio.stop());
let profileId = 0;
beforeAll(async () => {
  const profile = { name: 'Tag', maxUses: 1, expireMinutes: 1440 };
  ({ id: profileId } = (await api.admin.post('/profiles', profile)).body as { id: number });
});

const setUp = async (values: object = {}): Promise<void> => {
  const provider = {
    ...{ kind: 'twilio', url: twilio.url, user: twilio.accountSid, secret: twilio.authToken },
    ...{ from: '+15005550006', method: 'POST', headers: '', format: 'json', body: '', sentText: null },
    ...{ countryCode: '49', allowedCodes: ['49'], maxPerDay: 1000 },
    ...values,
  };
  expect((await api.admin.put('/sms-provider', provider)).status).toBe(200);
};

/** A number that is nowhere by chance, without its country code: the log may have no trace of it. */
const newNumber = (): string => {
  const number = `171${String(randomInt(10_000_000, 99_999_999))}`;
  numbers.push(number);
  return number;
};

const addKiosk = async (values: object = {}) => {
  const base = { siteId: api.siteId, profileId, perHour: 100, asksName: true };
  const answer = await api.admin.post('/kiosks', { ...base, ...values });
  expect(answer.status).toBe(201);
  const { kiosk, path } = answer.body as WebSchema<'CreatedKiosk'>;
  return { kiosk, token: path.split('#')[1] ?? '' };
};

/** A tablet. */
const tablet = (token: string) => {
  const headers = { 'X-Kiosk-Token': token };
  const request = (method: string, path: string, body?: object) =>
    makeBrowser(api).request(method, path, { headers, ...(body && { body }) });
  const take = async (name = ''): Promise<string> => {
    const orderId = randomUUID();
    expect((await request('PUT', `/kiosk/orders/${orderId}`, { name })).status).toBe(200);
    return orderId;
  };
  return {
    look: async () => (await request('GET', '/kiosk')).body as WebSchema<'KioskView'>,
    take,
    send: (orderId: string, to: string, smsId: string = randomUUID()) =>
      request('PUT', `/kiosk/orders/${orderId}/sms/${smsId}`, { to, language: 'en' }),
  };
};

const limited = { status: 429, body: { error: 'rate_limited', message: 'sms-limit' } };

test('a kiosk offers SMS only where an administrator allows it, and while there is a provider', async () => {
  const [on, off] = [await addKiosk({ name: 'Foyer', sendsSms: true }), await addKiosk()];
  expect(on.kiosk).toMatchObject({ sendsSms: true });
  expect(off.kiosk).toMatchObject({ sendsSms: false });
  const { look, take, send } = tablet(on.token);
  expect(await look()).toMatchObject({ sms: null });
  const order = await take();
  expect(await send(order, newNumber())).toMatchObject({ status: 409, body: { message: 'sms-not-set-up' } });
  await setUp();
  await until('the offer', async () => (await look()).sms !== null);
  expect(await look()).toMatchObject({ sms: { countryCode: '49' } });
  const plain = tablet(off.token);
  expect(await plain.look()).toMatchObject({ sms: null });
  expect(await plain.send(await plain.take(), newNumber())).toMatchObject({
    status: 409,
    body: { message: 'kiosk-sms-off' },
  });
  // Of another kiosk, unknown, and too old.
  expect((await send(await plain.take(), newNumber())).status).toBe(404);
  expect((await send(randomUUID(), newNumber())).status).toBe(404);
  expect((await tablet('x').send(order, newNumber())).status).toBe(404);
  clock.advance(30 * 60_000);
  expect((await send(order, newNumber())).status).toBe(404);
  expect(await rowsOf(api, 'outbox')).toEqual([]);
  expect((await api.admin.get('/audit?area=kiosk')).body).toMatchObject({
    entries: [{ detail: { sendsSms: false } }, { detail: { sendsSms: true }, subjectName: 'Foyer' }],
  });
});

test('a guest gets the code by SMS, once for a double tap, with nothing in it that they typed', async () => {
  await setUp();
  const { token } = await addKiosk({ name: 'Bar', sendsSms: true });
  const { take, send } = tablet(token);
  const order = await take('Buy at evil.example');
  const [number, id] = [newNumber(), randomUUID()];
  for (const answer of await Promise.all([send(order, `0${number}`, id), send(order, `0${number}`, id)]))
    expect(answer).toMatchObject({ status: 204, text: '' });
  await until('the SMS', () => twilio.accepted.some(({ to }) => to === `+49${number}`));
  const sent = twilio.accepted.filter(({ to }) => to === `+49${number}`);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.body).toMatch(/^Hauptgebäude\nAccess code: \d{5}-\d{5}\n/);
  expect(sent[0]?.body).not.toContain('evil.example');
  expect(await send(order, newNumber(), id)).toMatchObject({ status: 409, body: { message: 'sms-changed' } });
  expect((await api.admin.get('/audit?area=voucher')).body).toMatchObject({
    entries: expect.arrayContaining([
      expect.objectContaining({ action: 'voucher.sms', actorKind: 'kiosk', actorName: 'Bar', detail: {} }),
    ]),
  });
});

test.each([
  ['gast', 400, 'sms-number-invalid'],
  ['+49 171 12345\u202e67', 400, 'sms-number-invalid'],
  ['😀'.repeat(10), 400, 'sms-number-invalid'],
  ['1'.repeat(3000), 400, 'sms-number-invalid'],
  ['+1 900 5551234', 409, 'sms-number-refused'],
])('%p gets nothing', async (to, status, message) => {
  await setUp();
  const { token } = await addKiosk({ sendsSms: true });
  const { take, send } = tablet(token);
  const [order, before] = [await take(), (await rowsOf(api, 'outbox')).length];
  expect(await send(order, to)).toMatchObject({ status, body: { message } });
  expect((await send(order, '1'.repeat(65_536))).status).toBe(413);
  expect(await rowsOf(api, 'outbox')).toHaveLength(before);
});

test('it is no SMS cannon: limits per voucher, number, kiosk and day', async () => {
  await setUp();
  await api.database.write('outbox').delete();
  const { token } = await addKiosk({ sendsSms: true, perHour: 5 });
  const { take, send } = tablet(token);
  const first = await take();
  const number = newNumber();
  expect((await send(first, number)).status).toBe(204);
  expect((await send(first, newNumber())).status).toBe(204);
  expect(await send(first, newNumber())).toMatchObject({ status: 409, body: { message: 'too-many-sms' } });
  // Two of all kiosks to a number, however it is written.
  const other = tablet((await addKiosk({ sendsSms: true })).token);
  expect((await other.send(await other.take(), `+49 ${number}`)).status).toBe(204);
  expect(await other.send(await other.take(), `0${number}`)).toMatchObject(limited);
  // As many as the kiosk may give vouchers in an hour.
  for (let count = 0; count < 3; count += 1) expect((await send(await take(), newNumber())).status).toBe(204);
  expect(await send(first, newNumber())).toMatchObject(limited);
  clock.advance(3_600_000);
  expect((await send(await take(), newNumber())).status).toBe(204);
  // What the administrators allow in a day holds for guests, too.
  await setUp({ maxPerDay: 8 });
  const [eighth, ninth] = [await take(), await take()];
  await until('the limit', async () => (await send(eighth, newNumber())).status === 204);
  expect(await send(ninth, newNumber())).toMatchObject(limited);
});

const addPage = async (slug: string, values: object = {}): Promise<void> => {
  await addKiosk({ name: slug, slug, sendsSms: true, perDevice: 1000, ...values });
};
const sms = (slug: string, orderId: string, to: string, smsId: string = randomUUID(), headers = {}) =>
  makeBrowser(api).request('PUT', `/guest/${slug}/orders/${orderId}/sms/${smsId}`, {
    headers,
    body: { to, language: 'en' },
  });

test('a guest gets the code by SMS from a guest page that offers it, and only that of their own order', async () => {
  await setUp();
  await addPage('see');
  await addPage('berg', { sendsSms: false });
  const [see, berg] = [makeGuest(api, 'see'), makeGuest(api, 'berg')];
  await until('the offer', async () => ((await see.look()).body as WebSchema<'KioskView'>).sms !== null);
  expect((await berg.look()).body).toMatchObject({ sms: null });
  const [own, other, id, number] = [randomUUID(), randomUUID(), randomUUID(), newNumber()];
  // Without a solved puzzle there is no order, and without an order no SMS.
  expect((await see.put(own, { challenge: 'x', numbers: [1] })).status).toBe(400);
  expect((await sms('see', own, number)).status).toBe(404);
  await see.order({ name: 'Buy at evil.example' }, own);
  await berg.order({}, other);
  for (const answer of await Promise.all([sms('see', own, number, id), sms('see', own, number, id)]))
    expect(answer.status).toBe(204);
  await until('the SMS', () => twilio.accepted.some(({ to }) => to === `+49${number}`));
  const sent = twilio.accepted.filter(({ to }) => to === `+49${number}`);
  expect(sent).toMatchObject([{ body: expect.stringMatching(/\nAccess code: \d{5}-\d{5}\n/) }]);
  expect(sent[0]?.body).not.toContain('evil.example');
  expect(await sms('berg', other, newNumber())).toMatchObject({ body: { message: 'kiosk-sms-off' } });
  for (const [slug, order] of [
    ['see', other],
    ['see', randomUUID()],
    ['nichts', own],
  ] as const)
    expect((await sms(slug, order, newNumber())).status).toBe(404);
  expect((await sms('see', own, 'gast')).status).toBe(400);
  expect((await sms('see', own, '1'.repeat(65_536))).status).toBe(413);
  expect((await api.admin.get('/audit?area=voucher')).body).toMatchObject({
    entries: expect.arrayContaining([
      expect.objectContaining({ action: 'voucher.sms', actorKind: 'guest', actorName: 'see' }),
    ]),
  });
});

test('where staff have to agree, nothing is sent before they do', async () => {
  await setUp();
  await addPage('ask', { needsApproval: true });
  const [order, refused] = [randomUUID(), randomUUID()];
  const guest = makeGuest(api, 'ask');
  for (const id of [order, refused])
    expect((await guest.order({}, id)).body).toMatchObject({ state: 'waiting' });
  expect((await sms('ask', order, newNumber())).status).toBe(404);
  expect((await decide(api.admin, order, true)).status).toBe(204);
  await decide(api.admin, refused, false);
  expect((await sms('ask', order, newNumber())).status).toBe(204);
  expect((await sms('ask', refused, newNumber())).status).toBe(404);
});

test('a guest page is no SMS cannon: limits per page, and ten in an hour for an address', async () => {
  await setUp();
  clock.advance(3_600_000);
  await api.database.write('outbox').delete();
  await addPage('klein', { perHour: 2 });
  await addPage('gross');
  const orderAt = async (slug: string): Promise<string> => {
    const id = randomUUID();
    expect((await makeGuest(api, slug).order({}, id)).body).toMatchObject({ state: 'made' });
    return id;
  };
  const [first, second] = [await orderAt('klein'), await orderAt('klein')];
  expect((await sms('klein', first, newNumber())).status).toBe(204);
  expect((await sms('klein', second, newNumber())).status).toBe(204);
  expect(await sms('klein', first, newNumber())).toMatchObject(limited);
  for (let count = 0; count < 4; count += 1) {
    const order = await orderAt('gross');
    for (let copy = 0; copy < 2; copy += 1) expect((await sms('gross', order, newNumber())).status).toBe(204);
  }
  const eleventh = await orderAt('gross');
  expect(await sms('gross', eleventh, newNumber())).toMatchObject(limited);
  // Another address is not concerned, and neither is a kiosk.
  const elsewhere = { 'X-Forwarded-For': '192.0.2.7' };
  expect((await sms('gross', eleventh, newNumber(), randomUUID(), elsewhere)).status).toBe(204);
  const { take, send } = tablet((await addKiosk({ sendsSms: true })).token);
  expect((await send(await take(), newNumber())).status).toBe(204);
  expect(await rowsOf(api, 'outbox')).toHaveLength(12);
});

test('numbers are neither in the audit log nor in the metrics', async () => {
  const metrics = await fetch(`${api.url}/metrics`).then((answer) => answer.text());
  const audit = (await api.admin.get('/audit')).text;
  for (const seen of [metrics, audit, JSON.stringify(await rowsOf(api, 'audit_log'))])
    expect(numbers.filter((number) => seen.includes(number))).toEqual([]);
  expect(numbers.length).toBeGreaterThan(10);
});
