import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { startReceiptPrinter, type ReceiptPrinterSimulator } from '../../simulators/receiptPrinter.js';
import { withAdmin } from '../support/api.js';
import { makeClock, type Clock } from '../support/clock.js';
import { startMailServer, type MailServer } from '../support/mailServer.js';
import { redPng } from '../support/pictures.js';
import type { Answer } from '../support/service.js';
import { controllerVouchers, rowsOf } from '../support/serviceInternals.js';
import { until } from '../support/until.js';
import { cookieOf, makeBrowser } from '../support/web.js';

const limits = { maxUses: 1, expireMinutes: 1440, down: 0, up: 0, quotaMb: 0 };

let mail: MailServer;
let printer: ReceiptPrinterSimulator;
let clock: Clock;
const api = withAdmin({
  beforeStart: async () => {
    [mail, printer, clock] = [await startMailServer(), await startReceiptPrinter(), makeClock()];
    return { system: clock, env: { SMTP_URL: mail.url, MAIL_FROM: 'wifi@example.org' } };
  },
  site: { name: 'Hauptgebäude' },
});
let [day, week, printerId] = [0, 0, 0];
beforeAll(async () => {
  const idOf = async (path: string, body: object): Promise<number> =>
    ((await api.admin.post(path, body)).body as { id: number }).id;
  day = await idOf('/profiles', { ...limits, name: 'Tag', siteIds: null });
  week = await idOf('/profiles', { ...limits, expireMinutes: 10_080, name: 'Woche', siteIds: null });
  const settings = { name: 'Tresen', host: '127.0.0.1', port: printer.port, paper: '80mm', siteIds: null };
  printerId = await idOf('/printers', settings);
});
afterAll(async () => {
  await mail.stop();
  await printer.stop();
});

const addKiosk = async (values: object = {}) => {
  const base = { siteId: api.siteId, profileId: day, perHour: 100, asksName: false };
  const answer = await api.admin.post('/kiosks', { ...base, ...values });
  expect(answer.status).toBe(201);
  const { kiosk, path } = answer.body as WebSchema<'CreatedKiosk'>;
  return { kiosk, token: path.split('#')[1] ?? '' };
};

/** A browser of a guest. It keeps the cookie that it gets. */
const guest = (token: string, headers: Record<string, string> = {}) => {
  let cookie = '';
  const request = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await makeBrowser(api, cookie).request(method, path, {
      headers: { 'X-Kiosk-Token': token, ...headers },
      ...(body && { body }),
    });
    cookie = cookieOf(answer) || cookie;
    return answer;
  };
  return {
    look: () => request('GET', '/kiosk'),
    take: (body: object = {}, id: string = randomUUID()) => request('PUT', `/kiosk/orders/${id}`, body),
    email: (order: string, to: string, id: string = randomUUID()) =>
      request('PUT', `/kiosk/orders/${order}/emails/${id}`, { to, language: 'de' }),
    print: (order: string) => request('POST', `/kiosk/orders/${order}/receipt`, { language: 'de' }),
    cookie: () => cookie,
  };
};
const made = () => api.tables.vouchers.count([api.siteId]);

test('everything that is chosen for a kiosk can be changed, while its link stays valid', async () => {
  const { kiosk, token } = await addKiosk();
  const changes = {
    ...{ name: ' Foyer ', siteId: api.siteId, profileId: week, moreProfileIds: [day, week, day], perHour: 5 },
    ...{ asksName: false, requiresName: true, sendsEmail: true, printerId, idleSeconds: 600 },
    ...{ backgroundColour: '#2F6F4E', perDevice: 3, deviceMinutes: 1440 },
  };
  const stored = {
    ...changes,
    name: 'Foyer',
    moreProfileIds: [day],
    asksName: true,
    backgroundColour: '#2f6f4e',
  };
  const path = `/kiosks/${String(kiosk.id)}`;
  expect(await api.admin.put(path, changes)).toMatchObject({
    status: 200,
    body: { ...stored, id: kiosk.id, profileNames: ['Woche', 'Tag'], profileName: 'Woche' },
  });
  expect((await guest(token).look()).body).toMatchObject({
    ...{ name: 'Foyer', requiresName: true, sendsEmail: true, canPrint: true, idleSeconds: 600 },
    profiles: [
      { id: week, name: 'Woche', expireMinutes: 10_080 },
      { id: day, name: 'Tag' },
    ],
  });
  const refused: [object, number, string][] = [
    [{ siteId: 999 }, 409, 'unknown-site'],
    [{ moreProfileIds: [999] }, 409, 'unknown-profile'],
    [{ printerId: 999 }, 409, 'kiosk-printer-unknown'],
    [{ name: 'a\u0007b' }, 400, 'name-invalid'],
    [{ name: 'x'.repeat(101) }, 400, 'name-invalid'],
    [{ idleSeconds: 9 }, 400, 'number-invalid'],
    [{ idleSeconds: 601 }, 400, 'number-invalid'],
    [{ perDevice: 0 }, 400, 'number-invalid'],
    [{ deviceMinutes: 7 }, 400, 'number-invalid'],
    [{ backgroundColour: 'red;background:url(x)' }, 400, 'colour-invalid'],
    [{ moreProfileIds: Array.from({ length: 12 }, (_, index) => index + 1) }, 400, 'profile-required'],
  ];
  for (const [values, status, message] of refused)
    expect([values, await api.admin.put(path, { ...changes, ...values })]).toMatchObject([
      values,
      { status, body: { message } },
    ]);
  expect((await api.admin.put(path, { ...changes, name: 'x'.repeat(65_536) })).status).toBe(413);
  expect((await api.admin.get('/kiosks')).body).toMatchObject({ kiosks: [stored] });
  expect((await api.admin.get('/audit?area=kiosk')).body).toMatchObject({
    entries: [{ action: 'kiosk.change', subjectName: 'Foyer' }, { action: 'kiosk.add' }],
  });
});

test('a guest chooses among the profiles of the kiosk, and no others; a name can be required', async () => {
  const { kiosk, token } = await addKiosk({ name: 'Bar', moreProfileIds: [week], requiresName: true });
  const { take } = guest(token);
  expect(await take({ name: '  ' })).toMatchObject({
    status: 400,
    body: { message: 'guest-name-required' },
  });
  const before = await made();
  expect((await take({ name: 'Zoë', profileId: week })).body).toMatchObject({ state: 'made' });
  // A tablet that was opened before an update names no profile.
  expect((await take({ name: 'Jan' })).body).toMatchObject({ state: 'made' });
  const created = (await controllerVouchers(api, api.siteId)).slice(before);
  expect(created).toMatchObject([
    { name: '2026-11-14_Zoë', expire_minutes: 10_080 },
    { name: '2026-11-14_Jan', expire_minutes: 1440 },
  ]);
  const other = await api.admin.post('/profiles', { ...limits, name: 'Teuer', siteIds: null });
  const { id: profileId } = other.body as { id: number };
  expect(await take({ name: 'Zoë', profileId })).toMatchObject({
    status: 409,
    body: { message: 'unknown-profile' },
  });
  const by = { creatorKind: 'kiosk', createdBy: 'Bar' };
  expect((await api.admin.get('/vouchers?createdBy=Bar')).body).toMatchObject({ vouchers: [by, by] });
  await api.admin.delete(`/profiles/${String(profileId)}`);
  expect(await made()).toBe(before + 2);
  expect((await api.admin.delete(`/kiosks/${String(kiosk.id)}`)).status).toBe(204);
});

test('the link is renewed: the one before is dead at once', async () => {
  const { kiosk, token } = await addKiosk();
  const answer = await api.admin.post(`/kiosks/${String(kiosk.id)}/link`);
  const { path } = answer.body as WebSchema<'CreatedKiosk'>;
  const renewed = path.split('#')[1] ?? '';
  expect(renewed).not.toBe(token);
  expect((await guest(token).look()).status).toBe(404);
  expect((await guest(token).take()).status).toBe(404);
  expect((await guest(renewed).take()).body).toMatchObject({ state: 'made' });
  expect(JSON.stringify([await rowsOf(api, 'kiosks'), await rowsOf(api, 'audit_log')])).not.toContain(
    renewed,
  );
});

test('a picture is decoded, stored anew, shown with the link only, and removed', async () => {
  const { kiosk, token } = await addKiosk();
  const path = `/kiosks/${String(kiosk.id)}/background`;
  const image = redPng(60, 20);
  expect((await api.admin.put(path, { image: image.toString('base64') })).status).toBe(204);
  const view = (await guest(token).look()).body as WebSchema<'KioskView'>;
  expect(view.backgroundVersion).toMatch(/^[0-9a-f]{16}$/);
  const get = (sent: string) =>
    makeBrowser(api).request('GET', '/kiosk/background', { headers: { 'X-Kiosk-Token': sent } });
  expect(await get(token)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'image/png', 'content-security-policy': "default-src 'none'; sandbox" },
  });
  expect((await get('x')).status).toBe(404);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  for (const bad of [svg.toString('base64'), 'no base64', image.subarray(0, 40).toString('base64')])
    expect((await api.admin.put(path, { image: bad })).status).toBe(400);
  expect((await api.admin.put(path, { image: 'A'.repeat(1_398_104) })).status).toBe(400);
  expect((await api.admin.put(path, { image: 'A'.repeat(1_500_000) })).status).toBe(413);
  expect((await api.admin.delete(path)).status).toBe(204);
  expect((await get(token)).status).toBe(404);
  expect((await guest(token).look()).body).toMatchObject({ backgroundVersion: null });
});

test('a device takes as many as it may, however often it loads the page; others are not concerned', async () => {
  const { token } = await addKiosk({ perDevice: 2, deviceMinutes: 60 });
  const [one, other] = [guest(token), guest(token)];
  const deviceLimit = { status: 429, body: { error: 'rate_limited', message: 'device-limit' } };
  expect((await one.look()).headers['set-cookie']?.[0]).toMatch(/^kiosk-device=v2:.*HttpOnly; SameSite=Lax/);
  await other.look();
  expect(one.cookie()).not.toBe(other.cookie());
  const answers = await Promise.all(Array.from({ length: 20 }, () => one.take()));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(answers.find(({ status }) => status === 429)).toMatchObject(deviceLimit);
  await one.look();
  expect(await one.take()).toMatchObject(deviceLimit);
  expect((await other.take()).status).toBe(200);
  // Those without a cookie of ours, and those with one that somebody wrote, are one device of their address.
  const forged = guest(token, { Cookie: 'kiosk-device=v2:AAAA' });
  expect([(await forged.take()).status, (await guest(token).take()).status]).toEqual([200, 200]);
  expect(await guest(token).take()).toMatchObject(deviceLimit);
  expect(await forged.take()).toMatchObject(deviceLimit);
  clock.advance(3_600_000);
  expect((await one.take()).status).toBe(200);
});

test('a new cookie each time helps an address ten times as far, and no further', async () => {
  const { token } = await addKiosk({ perDevice: 1, deviceMinutes: 60 });
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) {
    const fresh = guest(token);
    await fresh.look();
    statuses.push((await fresh.take()).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
});

test('a kiosk without such a limit sets no cookie, and 20 guests at once get 20 vouchers', async () => {
  const { token } = await addKiosk();
  const { look, take } = guest(token);
  expect((await look()).headers['set-cookie']).toBeUndefined();
  const before = await made();
  const answers = await Promise.all(Array.from({ length: 20 }, () => take()));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => (body as { code: string }).code)).size).toBe(20);
  expect(await made()).toBe(before + 20);
});

test('a taken voucher is sent to the address that the guest types, and is no mail cannon', async () => {
  const { token } = await addKiosk({ sendsEmail: true, asksName: true, perHour: 9 });
  const { take, email } = guest(token);
  const [order, emailId] = [randomUUID(), randomUUID()];
  const texts = { emailSubject: 'For {name}', emailText: 'Hello\n\nDear {name}', emailClosing: 'Bye {name}' };
  expect((await api.admin.patch(`/texts/${String(api.siteId)}`, { texts: { de: texts } })).status).toBe(204);
  await take({ name: 'Buy at evil.example' }, order);
  expect((await email(order, 'gast@example.org', emailId)).status).toBe(204);
  expect((await email(order, 'gast@example.org', emailId)).status).toBe(204);
  await until('the e-mail', () => mail.mails.length > 0);
  expect(mail.mails).toHaveLength(1);
  // Nothing that a guest types is in it.
  expect(JSON.stringify(mail.mails)).toContain('Hello');
  expect(JSON.stringify(mail.mails)).not.toContain('evil.example');
  expect(await email(order, 'a@example.org, b@example.org')).toMatchObject({
    status: 400,
    body: { message: 'email-invalid' },
  });
  expect((await email(order, `${'x'.repeat(300)}@example.org`)).status).toBe(400);
  // One voucher goes to three addresses at most, and one address gets three in an hour, also as gast+1@.
  expect((await email(order, 'b@example.org')).status).toBe(204);
  expect((await email(order, 'c@example.org')).status).toBe(204);
  expect(await email(order, 'd@example.org')).toMatchObject({
    status: 409,
    body: { message: 'too-many-emails' },
  });
  const sendAnother = async (to: string) => {
    const next = randomUUID();
    await take({}, next);
    return email(next, to);
  };
  expect((await sendAnother('gast+1@example.org')).status).toBe(204);
  expect((await sendAnother('GAST@example.org')).status).toBe(204);
  expect(await sendAnother('gast+2@example.org')).toMatchObject({
    status: 429,
    body: { message: 'email-limit' },
  });
  for (let count = 0; count < 4; count += 1)
    expect((await sendAnother(`other${String(count)}@example.org`)).status).toBe(204);
  // As many as the kiosk may give vouchers.
  expect((await email(order, 'e@example.org')).status).not.toBe(204);
  expect(await rowsOf(api, 'outbox')).toHaveLength(9);
});

test('only vouchers that were just taken at this kiosk are sent or printed, where it offers that', async () => {
  const [off, on] = [await addKiosk(), await addKiosk({ sendsEmail: true, printerId })];
  const [plain, full] = [guest(off.token), guest(on.token)];
  const [taken, foreign] = [randomUUID(), randomUUID()];
  await full.take({}, taken);
  await plain.take({}, foreign);
  expect(await plain.email(foreign, 'g@example.org')).toMatchObject({ body: { message: 'kiosk-email-off' } });
  expect(await plain.print(foreign)).toMatchObject({ status: 409, body: { message: 'kiosk-print-off' } });
  for (const order of [foreign, randomUUID()]) {
    expect((await full.email(order, 'g@example.org')).status).toBe(404);
    expect((await full.print(order)).status).toBe(404);
  }
  for (let count = 0; count < 3; count += 1)
    expect(await full.print(taken)).toMatchObject({ status: 200, body: { outcome: 'confirmed' } });
  expect(await full.print(taken)).toMatchObject({ status: 429, body: { message: 'print-limit' } });
  clock.advance(30 * 60_000);
  expect((await full.email(taken, 'g@example.org')).status).toBe(404);
  expect((await full.print(taken)).status).toBe(404);
});
