import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { WebSchema } from '../../handlers/web/handler.js';
import { solveAll } from '../../web/src/pages/guest/solvePuzzle.ts';
import { makeCleanUpJobs } from '../../src/app/cleanUpJobs.js';
import { draftAudit } from '../../src/audit/audit.js';
import { insertRows } from '../../src/database/transactions.js';
import { makeProofOfWork } from '../../src/guestPages/proofOfWork.js';
import { makeGuestRequestTable } from '../../src/guestPages/guestRequestTable.js';
import { nodeSystem } from '../../src/lib/system.js';
import { withAdmin } from '../support/api.js';
import { makeClock, type Clock } from '../support/clock.js';
import { controllerVouchers, rowsOf } from '../support/serviceInternals.js';
import { puzzleBits, type Answer } from '../support/service.js';
import { until } from '../support/until.js';
import { makeBrowser, signInNew, type Browser } from '../support/web.js';
import { decide, makeGuest, waiting } from './guestsFixture.js';

const limits = { maxUses: 1, expireMinutes: 1440, down: 0, up: 0, quotaMb: 0 };
const minuteMs = 60_000;

let clock: Clock;
const api = withAdmin({
  beforeStart: () => {
    clock = makeClock();
    return { system: clock };
  },
  site: { name: 'Hauptgebäude' },
});
let profileId = 0;
let staff: Browser;
let [foreign, foreignSite]: [Browser | undefined, number] = [undefined, 0];
beforeAll(async () => {
  const answer = await api.admin.post('/profiles', { ...limits, name: 'Tag', siteIds: null });
  ({ id: profileId } = answer.body as { id: number });
  foreignSite = await api.addSite({ name: 'Anderswo' });
  staff = await signInNew(api, api.admin, { name: 'Berta', role: 'staff', siteIds: [api.siteId] });
  foreign = await signInNew(api, api.admin, { name: 'Carl', role: 'staff', siteIds: [foreignSite] });
});

const addPage = async (slug: string, values: object = {}): Promise<WebSchema<'Kiosk'>> => {
  const base = { siteId: api.siteId, profileId, perHour: 100, asksName: true, perDevice: 20, slug };
  const answer = await api.admin.post('/kiosks', { ...base, ...values });
  expect(answer).toMatchObject({ status: 201, body: { path: `/guest/${slug.toLowerCase()}` } });
  return (answer.body as WebSchema<'CreatedKiosk'>).kiosk;
};

const guest = (slug: string) => makeGuest(api, slug);

test('of administrators who choose the same address at once one gets it, and the others hear that it is taken', async () => {
  const base = { siteId: api.siteId, profileId, perHour: 1, asksName: false };
  const outcomes = (answers: readonly Answer[]) =>
    answers.map(({ status, body }) => [status, (body as { message?: string }).message]).sort();
  const taken = [409, 'slug-taken'];
  const wanted = Array.from({ length: 6 }, () => api.admin.post('/kiosks', { ...base, slug: 'rennen' }));
  expect(outcomes(await Promise.all(wanted))).toEqual([[201, undefined], taken, taken, taken, taken, taken]);
  const pages = [await addPage('eins'), await addPage('zwei'), await addPage('drei')];
  const changed = pages.map(({ id }) => api.admin.put(`/kiosks/${String(id)}`, { ...base, slug: 'ziel' }));
  expect(outcomes(await Promise.all(changed))).toEqual([[200, undefined], taken, taken]);
  const { kiosks } = (await api.admin.get('/kiosks')).body as WebSchema<'KioskList'>;
  expect(kiosks.filter(({ slug }) => slug === 'rennen' || slug === 'ziel')).toHaveLength(2);
  for (const { id, slug } of kiosks) if (slug) await api.admin.delete(`/kiosks/${String(id)}`);
});

test('there is no guest page until an administrator opens one, and it has an address of its own', async () => {
  expect((await guest('hotel').look()).status).toBe(404);
  const kiosk = await addPage('Hotel');
  expect(kiosk).toMatchObject({ slug: 'hotel', needsApproval: false });
  expect((await guest('HOTEL').look()).body).toMatchObject({
    siteName: 'Hauptgebäude',
    needsApproval: false,
  });
  const again = { siteId: api.siteId, profileId, perHour: 1, asksName: false, slug: 'hotel' };
  expect(await api.admin.post('/kiosks', again)).toMatchObject({
    status: 409,
    body: { message: 'slug-taken' },
  });
  for (const slug of ['a b', '-a', 'a/b', '../x', 'ä', '', 'x'.repeat(41)])
    expect([slug, await api.admin.post('/kiosks', { ...again, slug })]).toMatchObject([
      slug,
      { status: 400, body: { message: 'slug-invalid' } },
    ]);
  // It has no link, so nobody passes its puzzle with a token, and a limit per device in any case.
  expect((await api.admin.post(`/kiosks/${String(kiosk.id)}/link`)).status).toBe(404);
  const unlimited = await addPage('offen', { perDevice: null });
  expect(unlimited.perDevice).toBe(2);
  expect((await api.get('/guest/hotel')).status).toBe(200);
  await api.admin.delete(`/kiosks/${String(kiosk.id)}`);
  expect((await guest('hotel').look()).status).toBe(404);
});

test('a voucher costs the work of a puzzle, which is for one order, one page and ten minutes', async () => {
  await addPage('see');
  await addPage('berg');
  const { solve, put, order, find } = guest('see');
  const invalid = { status: 400, body: { message: 'challenge-invalid' } };
  const [first, second] = [randomUUID(), randomUUID()];
  const solved = await solve(first);
  const rows = async () => (await rowsOf(api, 'orders')).length;
  const before = await rows();
  for (const body of [
    {},
    { challenge: 'v2:AAAA', numbers: solved.numbers },
    { challenge: 'x'.repeat(501), numbers: solved.numbers },
    { ...solved, numbers: [] },
    { ...solved, numbers: solved.numbers.slice(1) },
    { ...solved, numbers: solved.numbers.map((number) => number + 1) },
    { ...solved, numbers: Array.from({ length: 65 }, () => 0) },
  ])
    expect(await put(first, body)).toMatchObject(invalid);
  expect(await put(second, solved)).toMatchObject(invalid);
  expect(await guest('berg').put(first, solved)).toMatchObject(invalid);
  expect((await put(first, { ...solved, name: 'x'.repeat(65_536) })).status).toBe(413);
  expect(await rows()).toBe(before);

  // Twenty times the same at once: one voucher.
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => put(first, { ...solved, name: '<b>Zoë</b>' })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const made = (await controllerVouchers(api, api.siteId)).filter(
    (row) => row['name'] === '2026-11-14_<b>Zoë</b>',
  );
  expect(made).toHaveLength(1);
  const [{ code } = {}] = made;
  expect((await find(first)).body).toMatchObject({ state: 'made', code });
  expect((await guest('berg').find(first)).status).toBe(404);

  // The same challenge, solved for another order, is used up.
  const puzzle = { puzzles: 16, bits: puzzleBits };
  const numbers = solveAll({ ...puzzle, challenge: solved.challenge, orderId: second });
  for (let count = 0; count < 3; count += 1)
    expect(await put(second, { challenge: solved.challenge, numbers })).toMatchObject({
      status: 409,
      body: { message: 'challenge-used' },
    });
  const late = randomUUID();
  const solvedLate = await solve(late);
  clock.advance(10 * minuteMs);
  expect(await put(late, solvedLate)).toMatchObject(invalid);
  expect((await find(first)).status).toBe(200);
  clock.advance(21 * minuteMs);
  expect((await find(first)).status).toBe(404);
  expect((await order({ name: 'a\u0007b' })).status).toBe(400);
});

test('a puzzle takes some 130,000 hashes', async () => {
  const tokens = { seal: () => Promise.resolve('v2:abc'), open: () => undefined };
  const challenge = await makeProofOfWork(tokens, { ...nodeSystem, now: clock.now }).create('see');
  expect(challenge).toMatchObject({ puzzles: 16, bits: 13 });
});

test('limits hold for the page, the device and the address, past the page, too', async () => {
  await addPage('klein', { perHour: 2, perDevice: 1, deviceMinutes: 60 });
  const [one, two, three] = [guest('klein'), guest('klein'), guest('klein')];
  for (const { look } of [one, two, three]) await look();
  expect((await one.order()).status).toBe(200);
  expect(await one.order()).toMatchObject({ status: 429, body: { message: 'device-limit' } });
  expect((await two.order()).status).toBe(200);
  expect(await three.order()).toMatchObject({ status: 429, body: { message: 'kiosk-limit' } });
  await addPage('fremd', { perDevice: 1, deviceMinutes: 60 });
  // Without cookies, an address is one device.
  expect((await guest('fremd').order()).status).toBe(200);
  expect(await guest('fremd').order()).toMatchObject({ status: 429, body: { message: 'device-limit' } });
});

test('what is limited for guest pages holds there, and not for kiosks', async () => {
  await addPage('regel', { siteId: foreignSite, perHour: 1000 });
  const rule = { role: 'guest', siteId: foreignSite, allowsCustom: false, requiresName: false, maxPerDay: 1 };
  const values = { ...rule, maxExpireMinutes: null, maxUses: null, maxCount: null };
  expect((await api.admin.post('/order-limits', values)).status).toBe(201);
  const { order } = guest('regel');
  expect((await order()).status).toBe(200);
  expect(await order()).toMatchObject({ status: 409, body: { message: 'daily-limit' } });
  const kiosk = { siteId: foreignSite, profileId, perHour: 10, asksName: false };
  const { path } = (await api.admin.post('/kiosks', kiosk)).body as WebSchema<'CreatedKiosk'>;
  const headers = { 'X-Kiosk-Token': path.split('#')[1] ?? '' };
  const taken = await makeBrowser(api).request('PUT', `/kiosk/orders/${randomUUID()}`, { headers, body: {} });
  expect(taken.status).toBe(200);
});

test('a page that moves to another site leaves its requests behind, and a revoked voucher is shown no more', async () => {
  const kiosk = await addPage('umzug', { name: 'Umzug', needsApproval: true });
  const { order, find } = guest('umzug');
  const [waits, given] = [randomUUID(), randomUUID()];
  await order({ name: 'Ida' }, given);
  expect((await decide(staff, given, true)).status).toBe(204);
  const { code } = (await find(given)).body as { code: string };
  const [voucher] = await api.tables.voucherSearch.byCode(code);
  await staff.post('/vouchers/revocations', { voucherIds: [voucher!.id] });
  expect((await find(given)).status).toBe(404);
  await order({ name: 'Uwe' }, waits);
  const moved = { siteId: foreignSite, profileId, perHour: 100, asksName: true, perDevice: 20 };
  expect(
    await api.admin.put(`/kiosks/${String(kiosk.id)}`, {
      ...moved,
      ...{ name: 'Umzug', slug: 'umzug', needsApproval: true },
    }),
  ).toMatchObject({ status: 200 });
  expect((await waiting(api.admin)).map(({ id }) => id)).not.toContain(waits);
  expect((await decide(staff, waits, true)).status).toBe(404);
  expect((await find(waits)).status).toBe(404);
});

test('a request waits until staff of the site decide, and the guest gets the code of the same order', async () => {
  await addPage('empfang', { name: 'Seite', needsApproval: true });
  const { order, find, put, solve } = guest('empfang');
  const [yes, no, late] = [randomUUID(), randomUUID(), randomUUID()];
  const solved = await solve(yes);
  expect((await put(yes, { ...solved, name: 'Zoë' })).body).toEqual({
    ...{ state: 'waiting', code: null, formattedCode: null, wifiPassword: null, wifiJoinText: null },
  });
  expect((await put(yes, { ...solved, name: 'Zoë' })).body).toMatchObject({ state: 'waiting' });
  expect((await find(yes)).body).toMatchObject({ state: 'waiting' });
  clock.advance(1000);
  await order({ name: 'Jan' }, no);
  expect(await waiting(staff)).toMatchObject([
    { id: yes, name: 'Zoë', siteName: 'Hauptgebäude', pageName: 'Seite', profileName: 'Tag' },
    { id: no, name: 'Jan' },
  ]);
  expect(await waiting(foreign!)).toEqual([]);
  expect((await decide(foreign!, yes, true)).status).toBe(404);

  // Two desks at once, and once more: one voucher.
  const decided = await Promise.all([decide(staff, yes, true), decide(api.admin, yes, true)]);
  expect(decided.map(({ status }) => status)).toEqual([204, 204]);
  expect((await decide(staff, yes, true)).status).toBe(204);
  expect(await decide(staff, yes, false)).toMatchObject({
    status: 409,
    body: { message: 'guest-request-decided' },
  });
  expect((await decide(staff, no, false)).status).toBe(204);
  const made = (await controllerVouchers(api, api.siteId)).filter((row) => row['name'] === '2026-11-14_Zoë');
  expect(made).toHaveLength(1);
  expect((await find(yes)).body).toMatchObject({ state: 'made', code: made[0]?.['code'] });
  expect((await find(no)).body).toMatchObject({ state: 'refused', code: null });
  expect(await waiting(staff)).toEqual([]);
  expect((await api.admin.get('/audit?area=voucher')).body).toMatchObject({
    entries: expect.arrayContaining([
      expect.objectContaining({ action: 'voucher.approve', detail: { name: 'Zoë' } }),
      expect.objectContaining({ action: 'voucher.refuse', actorName: 'Berta', detail: { name: 'Jan' } }),
    ]),
  });

  await order({ name: 'Tom' }, late);
  clock.advance(15 * minuteMs);
  expect((await find(late)).body).toMatchObject({ state: 'expired' });
  expect(await waiting(staff)).toEqual([]);
  expect(await decide(staff, late, true)).toMatchObject({
    status: 409,
    body: { message: 'guest-request-expired' },
  });
});

test('a name that can not be shown never reaches the desk', async () => {
  await addPage('namen', { needsApproval: true });
  const { order } = guest('namen');
  for (const name of ['a\u0007b', 'a\nb', 'a\u202Eb', 'a\u2028b'])
    expect(await order({ name })).toMatchObject({ status: 400, body: { message: 'name-invalid' } });
  expect(await waiting(staff)).toEqual([]);
});

test('a request that a limit refuses goes on waiting, for the desk and the guest', async () => {
  const siteId = await api.addSite({ name: 'Grenze' });
  await addPage('grenze', { siteId, needsApproval: true });
  const { order, find, look } = guest('grenze');
  const [one, other] = [randomUUID(), randomUUID()];
  await order({ name: 'Zoë' }, one);
  await order({ name: 'Jan' }, other);
  const rule = { role: 'guest', siteId, allowsCustom: true, requiresName: false, maxCount: null };
  const values = { ...rule, maxExpireMinutes: 60, maxUses: null, maxPerDay: null };
  const { id } = (await api.admin.post('/order-limits', values)).body as { id: number };
  const approve = (request: string) => decide(api.admin, request, true);
  expect(await approve(one)).toMatchObject({ status: 409, body: { message: 'time-limit' } });
  expect((await find(one)).body).toMatchObject({ state: 'waiting' });
  const approvals = async () =>
    (await rowsOf(api, 'audit_log')).filter(
      (row) => row['action'] === 'voucher.approve' && row['subject_id'] === String(siteId),
    );
  // As two desks at once, or a service that was killed, leave it: the order is refused after all.
  const requests = makeGuestRequestTable(api.database);
  const request = (await requests.find(one))!;
  const berta = { kind: 'user', name: 'Berta', address: null } as const;
  await requests.decide(request, 'approved', draftAudit(berta, 'voucher.approve', clock.now()));
  expect(await approvals()).toHaveLength(1);
  expect((await find(one)).body).toMatchObject({ state: 'waiting' });
  expect(await approvals()).toEqual([]);
  expect((await waiting(api.admin)).map((request) => request.id).sort()).toEqual([one, other].sort());
  // What its limits do not allow is not offered.
  expect((await look()).status).toBe(404);
  const daily = { ...values, maxExpireMinutes: null, maxPerDay: 1 };
  expect((await api.admin.put(`/order-limits/${String(id)}`, daily)).status).toBe(200);
  expect((await look()).status).toBe(200);
  expect((await approve(one)).status).toBe(204);
  expect(await approve(other)).toMatchObject({ status: 409, body: { message: 'daily-limit' } });
  expect((await find(other)).body).toMatchObject({ state: 'waiting' });
  expect(await order()).toMatchObject({ status: 409, body: { message: 'daily-limit' } });
  expect(await approvals()).toHaveLength(1);
  await decide(api.admin, other, false);
});

test('a kiosk does not become a guest page, nor a guest page a kiosk', async () => {
  const { id, slug } = await addPage('art');
  const values = { siteId: api.siteId, profileId, perHour: 10, asksName: false };
  const { kiosk } = (await api.admin.post('/kiosks', values)).body as WebSchema<'CreatedKiosk'>;
  const fixed = { status: 409, body: { message: 'kiosk-kind-fixed' } };
  expect(await api.admin.put(`/kiosks/${String(id)}`, values)).toMatchObject(fixed);
  expect(await api.admin.put(`/kiosks/${String(kiosk.id)}`, { ...values, slug: 'neu' })).toMatchObject(fixed);
  expect((await api.admin.put(`/kiosks/${String(id)}`, { ...values, slug })).status).toBe(200);
});

test('a request that is sent several times at once counts once', async () => {
  await addPage('doppelt', { needsApproval: true, perDevice: 2 });
  const { solve, put, order, look } = guest('doppelt');
  await look();
  const id = randomUUID();
  const body = await solve(id);
  const answers = await Promise.all([put(id, body), put(id, body)]);
  expect(answers).toMatchObject([{ body: { state: 'waiting' } }, { body: { state: 'waiting' } }]);
  expect((await order()).body).toMatchObject({ state: 'waiting' });
  expect(await order()).toMatchObject({ status: 429, body: { message: 'device-limit' } });
  for (const request of await waiting(staff)) await decide(staff, request.id, false);
});

test('the desk of a site sees its requests, however many wait elsewhere', async () => {
  const [here, elsewhere] = [await addPage('hier'), await addPage('anderswo', { siteId: foreignSite })];
  const row = (kioskId: number, siteId: number, at: number) => ({
    ...{ id: randomUUID(), kiosk_id: kioskId, site_id: siteId, profile_id: profileId, name: '' },
    ...{ state: 'waiting', address: '127.0.0.1', created_at: at },
  });
  const others = Array.from({ length: 500 }, () => row(elsewhere.id, foreignSite, clock.now() - 1));
  const own = row(here.id, api.siteId, clock.now());
  await insertRows(api.database.write, 'guest_requests', [...others, own]);
  expect(await waiting(staff)).toMatchObject([{ id: own.id }]);
  await api.database.write('guest_requests').delete();
});

test('an approval that was interrupted before the order is completed when the guest asks', async () => {
  await addPage('strom', { needsApproval: true });
  const { order, find } = guest('strom');
  const id = randomUUID();
  await order({ name: 'Mia' }, id);
  // As a service that was killed leaves it.
  await api.database.write('guest_requests').where({ id }).update({ state: 'approved' });
  const answers = await Promise.all([find(id), find(id), find(id)]);
  expect(new Set(answers.map(({ body }) => (body as { code: string }).code)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 200, body: { state: 'made' } });
  const made = (await controllerVouchers(api, api.siteId)).filter((row) => row['name'] === '2026-11-14_Mia');
  expect(made).toHaveLength(1);
});

test('no more than fifty requests of a page wait at a time', async () => {
  const { id: kioskId } = await addPage('voll', { needsApproval: true, perHour: 1000 });
  const rows = Array.from({ length: 50 }, () => ({
    ...{ id: randomUUID(), kiosk_id: kioskId, site_id: api.siteId, profile_id: profileId, name: '' },
    ...{ state: 'waiting', address: '127.0.0.1', created_at: clock.now() },
  }));
  await api.database.write('guest_requests').insert(rows);
  const { order } = guest('voll');
  const id = randomUUID();
  expect(await order({}, id)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '60' },
    body: { message: 'guest-queue-full' },
  });
  await decide(staff, rows[0]?.id ?? '', false);
  expect((await order({}, id)).body).toMatchObject({ state: 'waiting' });
});

test('requests are removed after a day, also where no other is added', async () => {
  await addPage('gestern', { needsApproval: true });
  const { order } = guest('gestern');
  await order({ name: 'Zoë' });
  const { database, tables } = api;
  /** As at the start of the service, and then every hour. */
  const cleanUp = async (): Promise<void> => {
    const jobs = makeCleanUpJobs({ database, tables, system: clock, log: pino({ level: 'silent' }) });
    for (const { start } of jobs) start();
    await until('the clean-up', () => jobs.every(({ status }) => status().successes > 0));
    for (const { stop } of jobs) await stop();
  };
  clock.advance(86_400_000);
  await cleanUp();
  expect((await rowsOf(api, 'guest_requests')).map((row) => row['name'])).toContain('Zoë');
  clock.advance(1);
  await cleanUp();
  expect(await rowsOf(api, 'guest_requests')).toEqual([]);
});
