import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { readVersion } from '../../src/lib/buildInfo.js';
import { withAdmin } from '../support/api.js';
import { acceptedFor } from '../support/acceptedFor.js';
import { makeClock, type Clock } from '../support/clock.js';
import { makePostgresDatabase, type TestDatabase } from '../support/databases.js';
import { startService, type Answer, type TestService } from '../support/service.js';
import { controllerVouchers, rowsOf } from '../support/serviceInternals.js';
import { whileInFlight } from '../support/slowOrder.js';
import { until } from '../support/until.js';
import { makeBrowser, signInFirst, signInNew, type Browser } from '../support/web.js';
import { redPng } from '../support/pictures.js';

const limits = { maxUses: 1, expireMinutes: 1440, down: 0, up: 0, quotaMb: 0 };

interface AddedKiosk {
  readonly id: number;
  readonly siteId: number;
  readonly profileId: number;
  readonly token: string;
}

const addProfile = async (admin: Browser, name: string, siteIds: number[] | null = null): Promise<number> =>
  ((await admin.post('/profiles', { ...limits, name, siteIds })).body as { id: number }).id;

const addKiosk = async (
  service: TestService,
  admin: Browser,
  site: Parameters<TestService['addSite']>[0] = {},
  values: object = {},
): Promise<AddedKiosk> => {
  const siteId = await service.addSite(site);
  const profileId = await addProfile(admin, `Tagesgast ${String(siteId)}`);
  const answer = await admin.post('/kiosks', { siteId, profileId, perHour: 20, asksName: false, ...values });
  expect(answer.status).toBe(201);
  const { kiosk, path } = answer.body as WebSchema<'CreatedKiosk'>;
  return { id: kiosk.id, siteId, profileId, token: path.split('#')[1] ?? '' };
};

/** The tablet: a browser without a session. */
const tablet = (service: TestService, token: string) => {
  const headers = { 'X-Kiosk-Token': token };
  const browser = makeBrowser(service);
  return {
    look: () => browser.request('GET', '/kiosk', { headers }),
    take: (id: string = randomUUID(), body: object = {}): Promise<Answer> =>
      browser.request('PUT', `/kiosk/orders/${id}`, { headers, body }),
  };
};

describe('a kiosk', () => {
  let clock: Clock;
  const api = withAdmin({
    beforeStart: () => {
      clock = makeClock();
      return { system: clock, env: { CONTROLLER_DEADLINE_S: '600' } };
    },
    perTest: 'service',
  });
  const made = async (siteId: number) => (await controllerVouchers(api, siteId)).length;

  test('is added, listed and removed by administrators; its token is shown once, and stored as a hash', async () => {
    const { id, siteId, profileId, token } = await addKiosk(api, api.admin);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const kiosk = {
      ...{ id, siteId, siteName: 'Hauptgebäude', profileId, profileName: `Tagesgast ${String(siteId)}` },
      ...{ perHour: 20, asksName: false, createdAt: '2026-11-14T09:30:00.000Z', createdBy: 'Anna Berger' },
    };
    expect((await api.admin.get('/kiosks')).body).toMatchObject({ kiosks: [kiosk] });
    const stored = await rowsOf(api, 'kiosks');
    expect(stored).toMatchObject([{ token_hash: hash('sha256', token, 'hex') }]);
    expect(JSON.stringify([stored, await rowsOf(api, 'audit_log')])).not.toContain(token);
    expect((await api.admin.delete(`/kiosks/${String(id)}`)).status).toBe(204);
    expect((await api.admin.delete(`/kiosks/${String(id)}`)).status).toBe(404);
    expect((await api.admin.get('/kiosks')).body).toEqual({ kiosks: [] });
    const subject = { subjectKind: 'kiosk', subjectId: String(id), subjectName: 'Hauptgebäude' };
    expect((await api.admin.get('/audit?area=kiosk')).body).toMatchObject({
      entries: [
        { action: 'kiosk.remove', ...subject, actorName: 'Anna Berger' },
        { action: 'kiosk.add', ...subject, detail: { siteId, perHour: 20, asksName: false } },
      ],
    });
  });

  test('that is not valid is refused', async () => {
    const cases: [string, object, number, string][] = [
      ['a site that does not exist', { siteId: 999 }, 409, 'unknown-site'],
      ['a profile that does not exist', { profileId: 999 }, 409, 'unknown-profile'],
      ['no voucher an hour', { perHour: 0 }, 400, 'number-invalid'],
      ['too many an hour', { perHour: 10_001 }, 400, 'number-invalid'],
    ];
    const siteId = await api.addSite();
    const profileId = await addProfile(api.admin, 'Tagesgast');
    for (const [name, values, status, message] of cases) {
      const kiosk = { siteId, profileId, perHour: 20, asksName: false, ...values };
      const answer = await api.admin.post('/kiosks', kiosk);
      expect({ name, ...answer }).toMatchObject({ name, status, body: { message } });
      expect(await rowsOf(api, 'kiosks')).toEqual([]);
    }
  });

  test('with a profile that is not for its site is refused, and one whose profile is taken away is dead', async () => {
    const [siteId, other] = [await api.addSite(), await api.addSite({ name: 'Nebenhaus' })];
    const profileId = await addProfile(api.admin, 'Nebenhaus', [other]);
    const kiosk = { siteId, profileId, perHour: 20, asksName: false };
    const refused = { status: 409, body: { message: 'unknown-profile' } };
    expect(await api.admin.post('/kiosks', kiosk)).toMatchObject(refused);
    const added = await addKiosk(api, api.admin);
    const { look, take } = tablet(api, added.token);
    expect((await look()).status).toBe(200);
    await api.admin.put(`/profiles/${String(added.profileId)}`, { ...limits, name: 'x', siteIds: [other] });
    expect([(await look()).status, (await take()).status]).toEqual([404, 404]);
    await api.admin.delete(`/profiles/${String(added.profileId)}`);
    expect((await api.admin.get('/kiosks')).body).toEqual({ kiosks: [] });
  });

  test('shows what its guests need, and nothing else', async () => {
    const { siteId, profileId, token } = await addKiosk(api, api.admin, {}, { asksName: true });
    const path = `/sites/${String(siteId)}`;
    await api.admin.patch(path, { ssid: 'Gäste', slipText: 'Willkommen!' });
    const view = {
      ...{ siteName: 'Hauptgebäude', ssid: 'Gäste', slipText: 'Willkommen!', hasLogo: false, logo: null },
      ...{ asksName: true, expireMinutes: 1440, maxUses: 1 },
      ...{ name: '', requiresName: false, sendsEmail: false, sms: null, canPrint: false, idleSeconds: 60 },
      ...{ backgroundColour: null, backgroundVersion: null, needsApproval: false, version: readVersion() },
      texts: [],
      profiles: [{ ...limits, id: profileId, name: `Tagesgast ${String(siteId)}` }],
    };
    expect((await tablet(api, token).look()).body).toEqual(view);
    const image = redPng(60, 20).toString('base64');
    expect((await api.admin.put(`${path}/logo`, { image })).status).toBe(204);
    const stored = await api.tables.siteLogos.find(siteId);
    const logo = `data:image/png;base64,${stored?.image.toString('base64') ?? ''}`;
    expect((await tablet(api, token).look()).body).toEqual({ ...view, hasLogo: true, logo });
  });

  test('gives one voucher of its profile, with the kiosk as its source', async () => {
    const { siteId, token } = await addKiosk(api, api.admin);
    const { take } = tablet(api, token);
    const id = randomUUID();
    const first = await take(id, { name: 'wird nicht gefragt' });
    const [voucher] = await controllerVouchers(api, siteId);
    const code = String(voucher?.['code']);
    const formattedCode = `${code.slice(0, 5)}-${code.slice(5)}`;
    expect(first).toMatchObject({ status: 200, body: { state: 'made', code, formattedCode } });
    expect(voucher).toMatchObject({ name: '2026-11-14_', max_uses: 1, expire_minutes: 1440 });
    // The back button, a double tap, a network that failed: the same order.
    expect((await take(id, {})).body).toEqual(first.body);
    expect(await made(siteId)).toBe(1);
    expect(await rowsOf(api, 'notifications')).toMatchObject([{ count: 1, source: 'Kiosk: Hauptgebäude' }]);
    expect((await api.admin.get('/audit?area=voucher')).body).toMatchObject({
      entries: [
        { action: 'voucher.create', actorKind: 'kiosk', actorName: 'Hauptgebäude', detail: { count: 1 } },
      ],
    });
  });

  test('is not a user who is called like it', async () => {
    const { siteId, token } = await addKiosk(api, api.admin);
    const name = 'Kiosk: Hauptgebäude';
    const user = await signInNew(api, api.admin, { name, role: 'staff', siteIds: [siteId] });
    expect(await tablet(api, token).take()).toMatchObject({ status: 200 });
    const order = { siteId, name: 'Gast', count: 1, limits };
    expect(await user.put(`/orders/${randomUUID()}`, order)).toMatchObject({ status: 200 });
    const creators = async (createdBy: string): Promise<unknown[]> => {
      const { body } = await api.admin.get(`/vouchers?createdBy=${encodeURIComponent(createdBy)}`);
      return (body as WebSchema<'VoucherPage'>).vouchers.map((voucher) => [
        voucher.creatorKind,
        voucher.createdBy,
      ]);
    };
    expect(await creators(name)).toEqual([['user', name]]);
    expect(await creators('Hauptgebäude')).toEqual([['kiosk', 'Hauptgebäude']]);
    expect(await creators('')).toHaveLength(2);
    const sources = (await rowsOf(api, 'notifications')).map(({ source }) => source);
    expect(sources).toEqual([name, name]);
  });

  test('that asks for a name takes any but control characters and long ones', async () => {
    const cases: [string, string, number][] = [
      ['a name', 'Familie Berger', 200],
      ['script', '<script>alert(1)</script>', 200],
      ['a formula', '=1+1', 200],
      ['a control character', 'a\u0007b', 400],
      ['101 characters', 'x'.repeat(101), 400],
    ];
    const { siteId, token } = await addKiosk(api, api.admin, {}, { asksName: true });
    const { take } = tablet(api, token);
    const made: string[] = [];
    for (const [, name, status] of cases) {
      expect([name, (await take(randomUUID(), { name })).status]).toEqual([name, status]);
      if (status === 200) made.push(`2026-11-14_${name}`);
      expect((await controllerVouchers(api, siteId)).map((row) => row['name'])).toEqual(made);
    }
  });

  test('gives exactly as many as it may in an hour under 100 requests at once, and more in the next hour', async () => {
    const { siteId, token } = await addKiosk(api, api.admin, { latencyMs: 20 });
    const { take } = tablet(api, token);
    const answers: Answer[] = [];
    // 503: more than the service takes at once. A tablet asks again then, and so does this.
    const takeUntilAnswered = async (): Promise<void> => {
      const id = randomUUID();
      let answer = await take(id);
      while (answer.status === 503) answer = await take(id);
      answers.push(answer);
    };
    await Promise.all(Array.from({ length: 100 }, takeUntilAnswered));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(80);
    expect(refused[0]).toMatchObject({
      headers: { 'retry-after': '3600' },
      body: { error: 'rate_limited', message: 'kiosk-limit' },
    });
    expect(await made(siteId)).toBe(20);
    clock.advance(3_600_000);
    expect((await take()).status).toBe(200);
  });

  test('counts a repeated request once, even at the same moment and at the limit', async () => {
    const { siteId, token } = await addKiosk(api, api.admin, { latencyMs: 50 }, { perHour: 2 });
    const { take } = tablet(api, token);
    const ids = [randomUUID(), randomUUID()];
    const answers = await Promise.all([...ids, ...ids, ...ids].map((id) => take(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await made(siteId)).toBe(2);
    expect((await take()).status).toBe(429);
    expect((await take(ids[0])).status).toBe(200);
  });

  test('gives the place of a failed order back', async () => {
    const { siteId, token } = await addKiosk(api, api.admin, { fault: 'refuse' }, { perHour: 1 });
    const { take } = tablet(api, token);
    for (let count = 0; count < 3; count++)
      expect((await take()).body).toMatchObject({ state: 'failed', code: null, wifiPassword: null });
    const { controllers, sites } = api.tables;
    const site = (await sites.all()).find(({ id }) => id === siteId);
    await controllers.change(site!.controllerId, { settings: { latencyMs: 0, fault: 'none' } });
    expect((await take()).body).toMatchObject({ state: 'made' });
    expect((await take()).status).toBe(429);
  });

  test('takes ten attempts for each place at most, however they end', async () => {
    const { token } = await addKiosk(api, api.admin, { fault: 'refuse' }, { perHour: 1 });
    const { take } = tablet(api, token);
    for (let count = 0; count < 10; count++) expect((await take()).body).toMatchObject({ state: 'failed' });
    expect((await take()).status).toBe(429);
  });

  test('gives the place back although others were refused meanwhile', async () => {
    await whileInFlight(async (latencyMs, followOrder) => {
      const site = { fault: 'refuse', latencyMs, name: `Haus ${String(latencyMs)}` };
      const { token } = await addKiosk(api, api.admin, site, { perHour: 1 });
      const { take } = tablet(api, token);
      const before = (await rowsOf(api, 'orders')).length;
      const isInFlight = followOrder();
      const failing = take();
      await until('the order is stored', async () => (await rowsOf(api, 'orders')).length > before);
      const others = await Promise.all([take(), take(), take()]);
      const wasInFlight = isInFlight();
      expect((await failing).body).toMatchObject({ state: 'failed' });
      if (!wasInFlight) return false;
      expect(others.map(({ status }) => status)).toEqual([429, 429, 429]);
      expect((await take()).body).toMatchObject({ state: 'failed' });
      return true;
    });
  });

  test('whose voucher is not known yet says so, and gives it once it is found', async () => {
    const { siteId, token } = await addKiosk(api, api.admin, { fault: 'disconnect' });
    const { take } = tablet(api, token);
    const id = randomUUID();
    expect((await take(id)).body).toMatchObject({ state: 'open', code: null, wifiPassword: null });
    clock.advance(600_001);
    await api.app.reconcile();
    const [voucher] = await controllerVouchers(api, siteId);
    expect((await take(id)).body).toMatchObject({ state: 'made', code: voucher?.['code'] });
  });

  test('whose site is inactive is dead', async () => {
    const { siteId, token } = await addKiosk(api, api.admin);
    await api.admin.patch(`/sites/${String(siteId)}`, { isActive: false });
    const { look, take } = tablet(api, token);
    expect([(await look()).status, (await take()).status]).toEqual([404, 404]);
  });

  test('reaches nothing else with its token, and nothing of other kiosks and people', async () => {
    const { siteId, token } = await addKiosk(api, api.admin);
    const other = await addKiosk(api, api.admin, { name: 'Nebenhaus' });
    const placed = randomUUID();
    await api.admin.put(`/orders/${placed}`, { siteId, count: 1, limits });
    const taken = randomUUID();
    expect((await tablet(api, other.token).take(taken)).status).toBe(200);
    const { take } = tablet(api, token);
    for (const id of [placed, taken]) expect((await take(id)).status).toBe(404);
    const headers = { 'X-Kiosk-Token': token };
    for (const cookie of ['', `session=${token}`]) {
      const browser = makeBrowser(api, cookie);
      for (const path of [
        '/session',
        '/desk',
        '/orders',
        `/orders/${placed}`,
        '/kiosks',
        '/vouchers',
        '/sites',
      ])
        expect((await browser.request('GET', path, { headers })).status).toBe(401);
      const order = { headers, body: { siteId, count: 1, limits } };
      expect((await browser.request('PUT', `/orders/${randomUUID()}`, order)).status).toBe(401);
    }
    expect((await api.get('/sites.php', { key: token, headers })).status).toBe(401);
    expect(api.lines.join('')).not.toContain(token);
  });

  test('does not exist for another token', async () => {
    const cases: string[] = ['', 'x', 'x'.repeat(100), "' or 1=1 --"];
    await addKiosk(api, api.admin);
    for (const token of cases) {
      const { look, take } = tablet(api, token);
      const status = token === '' ? 400 : 404;
      expect([token, (await look()).status, (await take()).status]).toEqual([token, status, status]);
    }
  });

  test('takes orders from its own page only', async () => {
    const { siteId, token } = await addKiosk(api, api.admin);
    const headers = { 'X-Kiosk-Token': token, 'Sec-Fetch-Site': 'cross-site' };
    const path = `/kiosk/orders/${randomUUID()}`;
    expect((await makeBrowser(api).request('PUT', path, { headers, body: {} })).status).toBe(403);
    expect(await rowsOf(api, 'orders')).toEqual([]);
    expect(siteId).toBeGreaterThan(0);
  });
});

describe('with two processes on one PostgreSQL', () => {
  let database: TestDatabase;
  let [one, other] = [] as unknown as [TestService, TestService];
  let admin: Browser;
  beforeAll(async () => {
    database = await makePostgresDatabase();
    const env = { DATABASE_URL: database.url };
    one = await startService({ env });
    other = await startService({ env, dataDir: one.dataDir });
    admin = await signInFirst(one);
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
    await database.drop();
  });

  test('a withdrawn link is dead in the other process within a second', async () => {
    const { id, token } = await addKiosk(one, admin);
    const { look, take } = tablet(other, token);
    expect((await look()).status).toBe(200);
    expect((await take()).body).toMatchObject({ state: 'made' });
    const withdraw = () => admin.delete(`/kiosks/${String(id)}`);
    expect(await acceptedFor(withdraw, async () => (await look()).status !== 404)).toBeLessThan(1000);
    expect((await take()).status).toBe(404);
  });

  test('the limit of an hour holds for both together under 100 requests at once', async () => {
    const { siteId, token } = await addKiosk(one, admin);
    const statuses: number[] = [];
    const takeUntilAnswered = async (service: TestService): Promise<void> => {
      const { take } = tablet(service, token);
      const id = randomUUID();
      let { status } = await take(id);
      while (status === 503) ({ status } = await take(id));
      statuses.push(status);
    };
    const services = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? one : other));
    await Promise.all(services.map(takeUntilAnswered));
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(80);
    expect(await one.tables.vouchers.count([siteId])).toBe(20);
  });

  test('one order that both are asked for at the same moment is one voucher', async () => {
    for (let round = 0; round < 4; round++) {
      const { siteId, token } = await addKiosk(one, admin, { name: `Haus ${String(round)}` });
      const id = randomUUID();
      const answers = await Promise.all([one, other].map((service) => tablet(service, token).take(id)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await until('the order is made', async () => (await one.tables.orders.find(id))?.state === 'made');
      expect(await one.tables.vouchers.count([siteId])).toBe(1);
    }
  });
});
