import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { makeClock } from '../support/clock.js';
import { statementsOf } from '../support/queryLog.js';
import { signInNew, type Browser } from '../support/web.js';

// 00:30 of 15 November in Berlin.
const clock = makeClock(Date.parse('2026-11-14T23:30:00.000Z'));
const api = withAdmin({ system: { now: clock.now }, perTest: 'service' });

interface Overview {
  days: string[];
  sites: { id: number; name: string; valid: number }[];
  vouchers: { date: string; siteId: number; created: number; used: number }[];
  controllers: { name: string; health: { state: string } }[];
  attention: { kind: string; subject?: string; count?: number }[];
  firstSteps: { isHidden: boolean; steps: { step: string; isDone: boolean; id: number | null }[] };
}
const look = async (browser: Browser, query = ''): Promise<Overview> => {
  const answer = await browser.get(`/overview${query}`);
  expect(answer.status).toBe(200);
  return answer.body as Overview;
};

/** Vouchers as the sync may have left them. */
const record = async (siteId: number, at: string, fields: Record<string, unknown> = {}): Promise<void> => {
  const { database } = api.app;
  const site = await database.read('sites').where({ id: siteId }).first<{ controller_id: number }>();
  const code = String(Math.random());
  await database.write('vouchers').insert({
    site_id: siteId,
    code,
    name: code,
    max_uses: 1,
    expire_minutes: 480,
    controller_id: site.controller_id,
    status: 'valid',
    used_count: 0,
    created_at: Date.parse(at),
    expires_at: null,
    ...fields,
  });
};

test('vouchers are counted by the days of a time zone and by site', async () => {
  const [one, two] = [await api.addSite({ name: 'B' }), await api.addSite({ name: 'A' })];
  await record(one, '2026-11-14T22:59:59.999Z');
  await record(one, '2026-11-14T23:00:00.000Z');
  await record(one, '2026-11-14T23:10:00.000Z', { used_count: 2, status: 'used' });
  await record(two, '2026-11-13T23:00:00.000Z', { used_count: 1 });
  await record(two, '2026-11-12T22:59:59.999Z');
  const berlin = await look(api.admin, '?days=2&timeZone=Europe/Berlin');
  expect(berlin.days).toEqual(['2026-11-14', '2026-11-15']);
  expect(berlin.vouchers).toEqual([
    { date: '2026-11-14', siteId: one, created: 1, used: 0 },
    { date: '2026-11-14', siteId: two, created: 1, used: 1 },
    { date: '2026-11-15', siteId: one, created: 2, used: 1 },
  ]);
  expect(berlin.sites.map(({ name }) => name)).toEqual(['A', 'B']);
  const utc = await look(api.admin, '?days=2');
  expect(utc.days).toEqual(['2026-11-13', '2026-11-14']);
  expect(utc.vouchers).toEqual([
    { date: '2026-11-13', siteId: two, created: 1, used: 1 },
    { date: '2026-11-14', siteId: one, created: 3, used: 1 },
  ]);
  expect((await look(api.admin)).days).toHaveLength(30);
});

test('vouchers that can be used now are counted', async () => {
  const id = await api.addSite();
  const now = clock.now();
  await record(id, '2020-01-01T00:00:00Z');
  await record(id, '2026-11-14T10:00:00Z', { expires_at: now + 1 });
  await record(id, '2026-11-14T10:00:00Z', { expires_at: now });
  await record(id, '2026-11-14T10:00:00Z', { status: 'used', used_count: 1 });
  await record(id, '2026-11-14T10:00:00Z', { status: 'expired', expires_at: now - 1 });
  expect((await look(api.admin)).sites).toMatchObject([{ id, valid: 2 }]);
});

test('a period that is not valid is refused', async () => {
  const cases: [string, string | undefined][] = [
    ['days=0', undefined],
    ['days=91', undefined],
    ['days=viele', undefined],
    ['timeZone=Mars/Olympus', 'time-zone-unknown'],
    ['timeZone=%2B02:00', 'time-zone-unknown'],
    ["timeZone=UTC';drop table vouchers;--", 'time-zone-unknown'],
    [`timeZone=${'x'.repeat(65)}`, 'time-zone-unknown'],
  ];
  for (const [query, message] of cases) {
    const answer = await api.admin.get(`/overview?${encodeURI(query).replaceAll('%25', '%')}`);
    const body = message === undefined ? {} : { message };
    expect({ query, ...answer }).toMatchObject({ query, status: 400, body });
  }
});

test('an empty service says what is missing', async () => {
  expect((await look(api.admin)).attention.map(({ kind }) => kind)).toEqual(['no-controllers']);
  await api.addSite({ active: false });
  expect((await look(api.admin)).attention.map(({ kind }) => kind)).toEqual(['no-sites']);
});

test('what needs attention is listed with its name, its number and its time', async () => {
  const id = await api.addSite();
  await api.addKey({ name: 'Ewig' });
  await api.addKey({ name: 'Bald', expiresAt: clock.now() + 13 * 86_400_000 });
  await api.addKey({ name: 'Später', expiresAt: clock.now() + 15 * 86_400_000 });
  await api.addKey({ name: 'voucherd demo', expiresAt: null });
  const { tables } = api.app;
  await api.database.write('webhooks').insert({
    name: 'Empfang',
    format: 'generic',
    language: 'de',
    sealed_address: 'x',
    active: false,
    reason: 'answered 410',
    created_at: 1,
  });
  const intent = {
    id: 'a'.repeat(32),
    siteId: id,
    name: 'x',
    maxUses: 1,
    expireMinutes: 1,
    down: 0,
    up: 0,
    quotaMb: 0,
    count: 1,
    profileId: null,
    origin: 'api' as const,
    actorName: 'Test',
    createdAt: clock.now() - 2 * 3_600_000,
  };
  await tables.intents.begin({ intent });
  await tables.intents.begin({ intent: { ...intent, id: 'b'.repeat(32), createdAt: clock.now() } });
  const { attention } = await look(api.admin);
  expect(attention).toEqual([
    { kind: 'intents-open', count: 1, at: '2026-11-14T21:30:00.000Z' },
    { kind: 'webhook-off', subject: 'Empfang' },
    { kind: 'demo-key', subject: expect.stringMatching(/^uvt_[0-9a-f]{8}$/) },
    { kind: 'key-expires', subject: 'Bald', at: '2026-11-27T23:30:00.000Z' },
  ]);
});

test('administrators see the controllers with their health; staff only the vouchers of their sites', async () => {
  const [own, other] = [await api.addSite({ name: 'A' }), await api.addSite({ name: 'B' })];
  for (const id of [own, other]) await record(id, '2026-11-14T10:00:00Z');
  expect((await look(api.admin)).controllers).toMatchObject([
    { health: { calls: 0 } },
    { health: { calls: 0 } },
  ]);
  const staff = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff', siteIds: [own] });
  expect(await look(staff, '?days=1')).toEqual({
    days: ['2026-11-14'],
    sites: [{ id: own, name: 'A', valid: 1 }],
    vouchers: [{ date: '2026-11-14', siteId: own, created: 1, used: 0 }],
    figures: { createdToday: 1, inUse: 0, endingToday: 0 },
    controllers: [],
    attention: [],
    firstSteps: null,
  });
  const nowhere = await signInNew(api, api.admin, { name: 'Eva', role: 'staff' });
  expect(await look(nowhere, '?days=1')).toMatchObject({ sites: [], vouchers: [] });
});

test('the first steps are done one by one, and lead to what is missing', async () => {
  const steps = async () =>
    (await look(api.admin)).firstSteps.steps.map(({ step, isDone, id }) => [step, isDone ? 'done' : id]);
  expect(await steps()).toEqual([
    ['controller', null],
    ['site', null],
    ['wifi', null],
    ['profile', null],
    ['user', null],
    ['voucher', null],
  ]);
  await api.admin.post('/controllers', { name: 'Haus', kind: 'simulated' });
  const [controller] = await api.tables.controllers.all();
  expect((await steps()).slice(0, 3)).toEqual([
    ['controller', 'done'],
    ['site', controller!.id],
    ['wifi', null],
  ]);
  const path = `/controllers/${String(controller!.id)}/sites`;
  await api.admin.post(path, { sites: [{ name: 'Nord', controllerSite: null }] });
  const [site] = await api.tables.sites.all();
  expect((await steps()).slice(1, 3)).toEqual([
    ['site', 'done'],
    ['wifi', site!.id],
  ]);
  await api.admin.patch(`/sites/${String(site!.id)}`, { ssid: 'Gäste' });
  await api.admin.post('/profiles', { name: 'Tagesgast', maxUses: 1, expireMinutes: 1440 });
  await api.admin.post('/users', { name: 'Jonas', role: 'staff', siteIds: [site!.id] });
  expect(await steps()).toEqual([
    ...['controller', 'site', 'wifi', 'profile', 'user'].map((step) => [step, 'done']),
    ['voucher', null],
  ]);
  await record(site!.id, '2026-11-14T10:00:00Z');
  expect((await look(api.admin)).firstSteps.steps.every(({ isDone }) => isDone)).toBe(true);
});

test('an administrator hides the first steps for all, and shows them again', async () => {
  const isHidden = async () => (await look(api.admin)).firstSteps.isHidden;
  expect(await isHidden()).toBe(false);
  expect((await api.admin.put('/first-steps', { isHidden: true })).status).toBe(204);
  expect(await isHidden()).toBe(true);
  const other = await signInNew(api, api.admin, { name: 'Mira', role: 'admin' });
  expect((await look(other)).firstSteps.isHidden).toBe(true);
  expect((await other.put('/first-steps', { isHidden: false })).status).toBe(204);
  expect(await isHidden()).toBe(false);
  expect((await api.admin.put('/first-steps', { isHidden: 'yes' })).status).toBe(400);
  expect(await isHidden()).toBe(false);
  const audit = (await api.admin.get('/audit')).body as { entries: { action: string }[] };
  const steps = audit.entries
    .map(({ action }) => action)
    .filter((action) => action.startsWith('first-steps.'));
  expect(steps).toEqual(['first-steps.show', 'first-steps.hide']);
});

test('vouchers are counted in indexes, without reading them', async () => {
  const [one, two] = [await api.addSite(), await api.addSite()];
  for (const siteId of [one, two]) await record(siteId, '2026-11-14T22:00:00.000Z', { used_count: 1 });
  const statements = await statementsOf(api.app.database, () => look(api.admin, '?days=90'));
  const counting = statements.filter((sql) => sql.includes('from vouchers'));
  expect(counting).toHaveLength(2);
  for (const sql of counting) {
    const { length } = sql.match(/\?/g) ?? [];
    const plan = await api.app.database.read.raw<{ detail: string }[]>(
      `explain query plan ${sql}`,
      Array.from({ length }, () => 1),
    );
    const steps = plan.map(({ detail }) => detail).filter((step) => step.includes(' vouchers '));
    expect(steps.length).toBeGreaterThan(1);
    for (const step of steps) expect(step).toMatch(/^SEARCH vouchers USING COVERING INDEX /);
  }
});
