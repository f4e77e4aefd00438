import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { WebSchema } from '../../handlers/web/handler.js';
import { controllerVouchers } from '../support/serviceInternals.js';
import { adminPassword, makeBrowser, signIn, signInNew, type Browser } from '../support/web.js';
import { limits as custom, look, place, placed, withOrders } from './ordersFixture.js';

type Limit = WebSchema<'OrderLimit'>;

const orders = withOrders({ key: {} });
const { api } = orders;

const unlimited = {
  ...{ role: 'staff', siteId: null, allowsCustom: true, maxExpireMinutes: null, maxUses: null },
  ...{ maxCount: null, maxPerDay: null, requiresName: false },
};

let users = 0;
let siteId = 0;
let staff: Browser;
let name = '';

const rules = async () => ((await api.admin.get('/order-limits')).body as WebSchema<'OrderLimitList'>).limits;
const addRule = async (values: object): Promise<number> => {
  const answer = await api.admin.post('/order-limits', { ...unlimited, ...values });
  expect(answer.status).toBe(201);
  return (answer.body as Limit).id;
};
const newStaff = async (...siteIds: number[]): Promise<Browser> => {
  name = `Jonas ${String((users += 1))}`;
  return signInNew(api, api.admin, { name, role: 'staff', siteIds });
};
const addProfile = async (values: object): Promise<number> => {
  const body = { name: randomUUID(), maxUses: 1, expireMinutes: 60, ...values };
  return ((await api.admin.post('/profiles', body)).body as { id: number }).id;
};
const allowanceOf = async (browser: Browser, id = siteId) =>
  ((await browser.get('/desk')).body as WebSchema<'Desk'>).sites.find((site) => site.id === id)?.allowance;
/** A controller that was never asked has no file. */
const made = async (id = siteId) => (await controllerVouchers(api, id).catch(() => [])).length;
const refused = (message: string, values?: object) => ({
  status: 409,
  body: { error: 'refused', message, ...(values && { values }) },
});

beforeEach(async () => {
  for (const { id } of await rules()) await api.admin.delete(`/order-limits/${String(id)}`);
  siteId = await api.addSite({ name: `Haus ${String(users)}` });
  staff = await newStaff(siteId);
});

describe('the rules', () => {
  test('are added, changed as a whole and removed, and the audit log tells', async () => {
    const id = await addRule({ maxPerDay: 3, siteId });
    expect(await rules()).toEqual([{ ...unlimited, id, maxPerDay: 3, siteId }]);
    const change = { ...unlimited, siteId, allowsCustom: false, maxExpireMinutes: 60 };
    expect(await api.admin.put(`/order-limits/${String(id)}`, change)).toMatchObject({
      status: 200,
      body: { id, ...change },
    });
    expect((await api.admin.delete(`/order-limits/${String(id)}`)).status).toBe(204);
    expect((await api.admin.delete(`/order-limits/${String(id)}`)).status).toBe(404);
    expect(await rules()).toEqual([]);
    const { entries } = (await api.admin.get('/audit?area=limit')).body as WebSchema<'AuditPage'>;
    expect(entries.slice(0, 3)).toMatchObject([
      { action: 'limit.remove', subjectKind: 'limit', detail: { role: 'staff' } },
      { action: 'limit.change', detail: { role: 'staff', allowsCustom: false, expireMinutes: 60 } },
      { action: 'limit.add', actorName: 'Anna Berger', detail: { role: 'staff', maxPerDay: 3 } },
    ]);
  });

  test('are one for a role and a site, also when two add one at the same time', async () => {
    const body = { ...unlimited, siteId: null };
    const answers = await Promise.all([1, 2, 3].map(() => api.admin.post('/order-limits', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await api.admin.post('/order-limits', body)).toMatchObject(refused('limit-taken'));
    const other = await addRule({ siteId });
    expect(await api.admin.put(`/order-limits/${String(other)}`, body)).toMatchObject(refused('limit-taken'));
    expect(await rules()).toHaveLength(2);
  });

  test.each([
    ['a role that nobody has', { role: 'chef' }, 400, 'role-invalid'],
    ['a site that does not exist', { siteId: 99_999 }, 409, 'unknown-site'],
    ['no minutes', { maxExpireMinutes: 0 }, 400, 'number-invalid'],
    ['more at once than an order can have', { maxCount: 501 }, 400, 'count-invalid'],
    ['a negative number', { maxPerDay: -1 }, 400, 'number-invalid'],
    ['a role of 64 KiB', { role: 'x'.repeat(65_536) }, 413, 'too-large'],
    [
      'a name at kiosks, which say that themselves',
      { role: 'kiosk', requiresName: true },
      400,
      'name-set-at-kiosk',
    ],
  ])('with %s are refused', async (_, values, status, message) => {
    const answer = await api.admin.post('/order-limits', { ...unlimited, ...values });
    expect(answer).toMatchObject({ status, body: { message } });
    expect(await rules()).toEqual([]);
  });
});

describe('a request past the page', () => {
  test('is refused with the limit that it exceeds, and what is within it is ordered', async () => {
    const [short, long, many] = [
      await addProfile({}),
      await addProfile({ expireMinutes: 61 }),
      await addProfile({ maxUses: 3 }),
    ];
    await addRule({ maxExpireMinutes: 60, maxUses: 2, maxCount: 2 });
    const order = (values: object) => place(staff, randomUUID(), { siteId, ...values });
    const tooLong = { ...custom, expireMinutes: 61 };
    expect(await order({ limits: tooLong })).toMatchObject(refused('time-limit', { minutes: 60 }));
    expect(await order({ limits: { ...custom, maxUses: 3 } })).toMatchObject(
      refused('uses-limit', { most: 2 }),
    );
    expect(await order({ count: 3 })).toMatchObject(refused('count-limit', { most: 2 }));
    // A list of names counts as many as it has, whatever the count says.
    const names = ['Anna', 'Ben', 'Cem'];
    expect(await order({ names, count: 3 })).toMatchObject(refused('count-limit', { most: 2 }));
    expect(await order({ names, count: 2 })).toMatchObject({
      status: 400,
      body: { message: 'names-invalid' },
    });
    // Profiles are limited, too.
    expect(await order({ limits: null, profileId: long })).toMatchObject(
      refused('time-limit', { minutes: 60 }),
    );
    expect(await order({ limits: null, profileId: many })).toMatchObject(refused('uses-limit', { most: 2 }));
    expect(await made()).toBe(0);
    expect((await order({ names: names.slice(1), count: 2 })).status).toBe(200);
    expect((await order({ limits: null, profileId: short })).status).toBe(200);
    expect(await made()).toBe(3);
    // Nobody has limited administrators.
    expect((await place(api.admin, randomUUID(), { siteId, limits: tooLong, count: 9 })).status).toBe(200);
  });

  test('has no values of its own where only profiles are allowed, and says whom it is for where that is required', async () => {
    const profileId = await addProfile({});
    await addRule({ allowsCustom: false, requiresName: true });
    const order = (values: object) => place(staff, randomUUID(), { siteId, ...values });
    expect(await order({})).toMatchObject(refused('custom-not-allowed'));
    const ofProfile = { limits: null, profileId };
    for (const empty of ['', '   ', '\0'])
      for (const numbered of [false, true])
        expect(await order({ ...ofProfile, name: empty, count: 2, numbered })).toMatchObject(
          refused('note-required'),
        );
    expect(await made()).toBe(0);
    expect((await order(ofProfile)).status).toBe(200);
  });

  test('obeys the rule of its site, which replaces the one for all', async () => {
    const other = await api.addSite({ name: 'Turm' });
    const both = await newStaff(siteId, other);
    await addRule({ maxCount: 1, requiresName: true });
    await addRule({ siteId, maxCount: 5 });
    const order = (id: number, values: object) => place(both, randomUUID(), { siteId: id, ...values });
    expect((await order(siteId, { count: 5, name: '' })).status).toBe(200);
    expect(await order(siteId, { count: 6 })).toMatchObject(refused('count-limit', { most: 5 }));
    expect(await order(other, { count: 2 })).toMatchObject(refused('count-limit', { most: 1 }));
    expect(await order(other, { name: '' })).toMatchObject(refused('note-required'));
    // A rule for administrators limits them, and one for staff does not.
    expect((await place(api.admin, randomUUID(), { siteId: other, count: 2 })).status).toBe(200);
    await addRule({ role: 'admin', maxCount: 1 });
    const answer = await place(api.admin, randomUUID(), { siteId: other, count: 2 });
    expect(answer).toMatchObject(refused('count-limit', { most: 1 }));
  });
});

describe('vouchers per day', () => {
  test('twenty orders at the same time create exactly three, and the desk says what is left', async () => {
    await addRule({ maxPerDay: 3 });
    expect(await allowanceOf(staff)).toMatchObject({ maxPerDay: 3, leftToday: 3 });
    const tooMany = await place(staff, randomUUID(), { siteId, count: 4 });
    expect(tooMany).toMatchObject(refused('daily-limit', { most: 3, left: 3 }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => place(staff, randomUUID(), { siteId })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(refused('daily-limit', { most: 3 }));
    expect(await made()).toBe(3);
    expect(await allowanceOf(staff)).toMatchObject({ leftToday: 0 });
    expect(await place(staff, randomUUID(), { siteId })).toMatchObject(
      refused('daily-limit', { most: 3, left: 0 }),
    );
    // Each user has a number of their own.
    const colleague = await newStaff(siteId);
    expect((await place(colleague, randomUUID(), { siteId, count: 3 })).status).toBe(200);
  });

  test('a repeated request is the same order, and counts once', async () => {
    await addRule({ maxPerDay: 2 });
    const id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => place(staff, id, { siteId, count: 2 })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await place(staff, id, { siteId, count: 2 })).status).toBe(200);
    expect(await made()).toBe(2);
  });

  test('what failed for certain does not count; what may still come does', async () => {
    const [refusing, silent] = [
      await api.addSite({ name: 'Abweisend', fault: 'refuse' }),
      await api.addSite({ name: 'Stumm', fault: 'disconnect' }),
    ];
    const user = await newStaff(siteId, refusing, silent);
    const login = name;
    await addRule({ maxPerDay: 3 });
    expect(await placed(user, { siteId: refusing, count: 3 })).toMatchObject({ state: 'failed' });
    expect(await allowanceOf(user)).toMatchObject({ leftToday: 3 });
    const open = await placed(user, { siteId: silent, count: 2 });
    expect(open).toMatchObject({ state: 'open' });
    expect(await allowanceOf(user)).toMatchObject({ leftToday: 1 });
    expect(await place(user, randomUUID(), { siteId, count: 2 })).toMatchObject(
      refused('daily-limit', { most: 3, left: 1 }),
    );
    await orders.settle();
    const again = await signIn(api, login, adminPassword);
    expect(await look(again, open.id)).toMatchObject({ state: 'made', made: 2 });
    expect(await allowanceOf(again)).toMatchObject({ leftToday: 1 });
  });

  test('a rule counts what is ordered where it applies', async () => {
    const other = await api.addSite({ name: 'Anbau' });
    const user = await newStaff(siteId, other);
    await addRule({ maxPerDay: 2 });
    await addRule({ siteId: other, maxPerDay: 5 });
    expect((await place(user, randomUUID(), { siteId: other, count: 5 })).status).toBe(200);
    expect(await allowanceOf(user)).toMatchObject({ leftToday: 2 });
    expect(await allowanceOf(user, other)).toMatchObject({ leftToday: 0 });
    expect((await place(user, randomUUID(), { siteId, count: 2 })).status).toBe(200);
    expect((await place(user, randomUUID(), { siteId })).status).toBe(409);
  });

  test('API keys are not concerned', async () => {
    await addRule({ maxPerDay: 0, allowsCustom: false });
    await addRule({ role: 'admin', maxPerDay: 0 });
    expect((await api.createVoucher({ site_id: siteId })).status).toBe(201);
    expect(await place(api.admin, randomUUID(), { siteId })).toMatchObject(
      refused('daily-limit', { most: 0, left: 0 }),
    );
  });
});

describe('a kiosk', () => {
  const addKiosk = async (profile: object = {}, values: object = {}) => {
    const profileId = await addProfile(profile);
    const body = { siteId, profileId, perHour: 2, asksName: false, ...values };
    const { path } = (await api.admin.post('/kiosks', body)).body as WebSchema<'CreatedKiosk'>;
    const headers = { 'X-Kiosk-Token': path.split('#')[1] ?? '' };
    return () => makeBrowser(api).request('PUT', `/kiosk/orders/${randomUUID()}`, { headers, body: {} });
  };

  test('gives as many a day as its role may, and a refused guest takes no place of the hour', async () => {
    await addRule({ role: 'kiosk', maxPerDay: 3 });
    const [take, elsewhere] = [await addKiosk({}, { perHour: 20 }), await addKiosk()];
    const answers = await Promise.all(Array.from({ length: 12 }, take));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(refused('daily-limit', { most: 3 }));
    expect(await made()).toBe(3);
    expect((await elsewhere()).status).toBe(200);
    // With the rule gone the hour still has room: those who were refused did not use it up.
    for (const { id } of await rules()) await api.admin.delete(`/order-limits/${String(id)}`);
    for (let guest = 0; guest < 17; guest += 1) expect((await take()).status).toBe(200);
    expect((await take()).status).toBe(429);
  });

  test('whose profile is beyond the limits of kiosks gives nothing', async () => {
    const take = await addKiosk({ maxUses: 100 });
    await addRule({ role: 'kiosk', siteId, maxUses: 1 });
    expect(await take()).toMatchObject(refused('uses-limit', { most: 1 }));
    expect(await made()).toBe(0);
  });
});

test('the desk offers no profile that is beyond the limits, and says what else is allowed', async () => {
  const [short, long] = [await addProfile({}), await addProfile({ expireMinutes: 10_080 })];
  await api.admin.put('/default-profile', { profileId: long });
  const deskSite = async () =>
    ((await staff.get('/desk')).body as WebSchema<'Desk'>).sites.find(({ id }) => id === siteId);
  expect(await deskSite()).toMatchObject({
    defaultProfileId: long,
    allowance: { ...{ allowsCustom: true, maxUses: null, leftToday: null }, requiresName: false },
  });
  await addRule({ siteId, allowsCustom: false, maxExpireMinutes: 1440, maxCount: 20, requiresName: true });
  const limited = await deskSite();
  expect(limited).toMatchObject({
    defaultProfileId: null,
    allowance: {
      ...{ allowsCustom: false, maxExpireMinutes: 1440, maxUses: null, maxCount: 20 },
      ...{ maxPerDay: null, leftToday: null, requiresName: true },
    },
  });
  const ids = limited?.profiles.map(({ id }) => id);
  expect(ids).toContain(short);
  expect(ids).not.toContain(long);
});

test('the next day begins anew, at midnight where the service is', async () => {
  await addRule({ maxPerDay: 2 });
  expect((await place(staff, randomUUID(), { siteId, count: 2 })).status).toBe(200);
  const midnight = new Date(orders.clock.now()).setHours(24, 0, 0, 0);
  orders.clock.advance(midnight - orders.clock.now() - 1);
  // Sessions end after half a day without use.
  const late = await signIn(api, name, adminPassword);
  expect((await place(late, randomUUID(), { siteId })).status).toBe(409);
  orders.clock.advance(1);
  expect(await allowanceOf(late)).toMatchObject({ leftToday: 2 });
  expect((await place(late, randomUUID(), { siteId, count: 2 })).status).toBe(200);
});
