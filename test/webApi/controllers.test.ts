import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { withAdmin } from '../support/api.js';
import { sharedCertificate } from '../support/certificate.js';
import { plantSecrets, randomSecret } from '../support/secretLeaks.js';
import type { Answer } from '../support/service.js';
import { type Browser } from '../support/web.js';

const apiKey = randomSecret();
const password = randomSecret();
plantSecrets([apiKey, password]);
const api = withAdmin({ env: { CONTROLLER_DEADLINE_S: '60' }, perTest: 'service' });
let unifi: UnifiConsole;
let other: UnifiConsole;
beforeAll(async () => {
  const certificate = await sharedCertificate();
  unifi = await startUnifiConsole({ certificate, apiKey, password });
  other = await startUnifiConsole({ apiKey, password });
});
afterAll(async () => {
  await unifi.stop();
  await other.stop();
});

const consoleOf = (values: object = {}) => ({
  name: 'Zentrale',
  kind: 'unifi',
  url: unifi.url,
  fingerprint: unifi.fingerprint,
  credentials: { apiKey },
  ...values,
});

const idOf = ({ body }: Answer): number => (body as { id: number }).id;
const stored = async () => (await api.tables.controllers.all())[0];
const actions = async () =>
  (await api.tables.auditLog.newest({}, undefined, 20)).flatMap(
    ({ action, actorName, subjectName, detail }) =>
      /^(controller|site)\./.test(action) ? [[action, actorName, subjectName, detail]] : [],
  );

/** Orders a voucher on the first site, which shows that the stored credentials are used. */
const order = async (): Promise<number> => {
  const [site] = await api.tables.sites.all();
  const key = await api.addKey();
  return (await api.post('/vouchers.php', { site_id: site?.id, name: 'Gast' }, { key })).status;
};

const addWithSite = async (admin: Browser, values: object = {}): Promise<number> => {
  const id = idOf(await admin.post('/controllers', consoleOf(values)));
  const sites = [{ name: 'Hauptgebäude', controllerSite: 'default' }];
  expect((await admin.post(`/controllers/${String(id)}/sites`, { sites })).status).toBe(201);
  return id;
};

test('a controller is added with its credentials sealed, and listed without them', async () => {
  const added = await api.admin.post('/controllers', consoleOf());
  expect(added).toMatchObject({
    status: 201,
    body: {
      name: 'Zentrale',
      kind: 'unifi',
      url: unifi.url,
      trust: 'pinned',
      fingerprint: unifi.fingerprint,
      health: { state: 'unknown', calls: 0, failures: 0, latencyMs: null, lastSyncAt: null, lastError: null },
      sites: [],
    },
  });
  expect(await api.admin.get('/controllers')).toMatchObject({ body: { controllers: [added.body] } });
  expect((await stored())?.sealedCredentials).toMatch(/^v2:/);
  expect(await actions()).toEqual([
    ['controller.add', 'Anna Berger', 'Zentrale', { kind: 'unifi', address: unifi.url, trust: 'pinned' }],
  ]);
});

test('a controller that is not valid is refused, and nothing is stored', async () => {
  const cases: [string, () => object, number, string][] = [
    ['no address', () => ({ url: undefined }), 400, 'url-invalid'],
    ['plain HTTP', () => ({ url: 'http://192.0.2.1' }), 400, 'url-invalid'],
    ['an address with a password', () => ({ url: `https://u:${password}@192.0.2.1` }), 400, 'url-invalid'],
    ['no fingerprint', () => ({ fingerprint: 'AB' }), 400, 'fingerprint-invalid'],
    ['a CA that is none', () => ({ fingerprint: null, caCertificates: 'x' }), 400, 'ca-invalid'],
    ['a pin and a CA', () => ({ caCertificates: 'x' }), 400, 'trust-conflict'],
    ['no credentials', () => ({ credentials: {} }), 400, 'credentials-invalid'],
    ['credentials of another kind', () => ({ credentials: { username: 'x' } }), 400, 'credentials-invalid'],
    ['a key that none is', () => ({ credentials: { apiKey: 'schlüssel' } }), 400, 'credentials-invalid'],
    ['a simulated one with an address', () => ({ kind: 'simulated' }), 400, 'address-not-needed'],
    ['an unknown kind', () => ({ kind: 'other' }), 400, 'kind-invalid'],
    ['a line break in its name', () => ({ name: 'a\nb' }), 400, 'name-invalid'],
    ['a name that turns the text round', () => ({ name: 'a\u202eb' }), 400, 'name-invalid'],
    ['64 KiB of name', () => ({ name: 'x'.repeat(65_000) }), 400, 'name-invalid'],
  ];
  for (const [name, values, status, message] of cases) {
    const answer = await api.admin.post('/controllers', consoleOf(values()));
    expect({ name, ...answer }).toMatchObject({ name, status, body: { message } });
    expect(await stored()).toBeUndefined();
    expect(await actions()).toEqual([]);
  }
});

test('a name is taken once, and a console is added once unless it is forced', async () => {
  await api.admin.post('/controllers', consoleOf());
  const taken = await api.admin.post(
    '/controllers',
    consoleOf({ url: other.url, fingerprint: other.fingerprint }),
  );
  expect(taken).toMatchObject({ status: 409, body: { message: 'name-taken' } });
  const again = await api.admin.post('/controllers', consoleOf({ name: 'Zweite' }));
  expect(again).toMatchObject({ status: 409, body: { message: 'console-known' } });
  const forced = await api.admin.post('/controllers', consoleOf({ name: 'Zweite', force: true }));
  expect(forced.status).toBe(201);
});

test('what is not given stays when a controller is changed, and its credentials go on working', async () => {
  const id = await addWithSite(api.admin);
  const path = `/controllers/${String(id)}`;
  expect(await api.admin.patch(path, { name: 'Umbenannt' })).toMatchObject({
    status: 200,
    body: { name: 'Umbenannt', url: unifi.url, trust: 'pinned', sites: [{ name: 'Hauptgebäude' }] },
  });
  expect(await order()).toBe(201);
  const ca = await api.admin.patch(path, { caCertificates: unifi.certificate });
  expect(ca).toMatchObject({ body: { trust: 'own-ca', fingerprint: null } });
  const system = await api.admin.patch(path, { caCertificates: null });
  expect(system).toMatchObject({ body: { trust: 'system' } });
  const pinned = await api.admin.patch(path, {
    fingerprint: unifi.fingerprint.toLowerCase().replaceAll(':', ''),
  });
  expect(pinned).toMatchObject({ body: { trust: 'pinned', fingerprint: unifi.fingerprint } });
  expect(await order()).toBe(201);
  expect((await actions())[0]).toEqual([
    'controller.change',
    'Anna Berger',
    'Umbenannt',
    { address: unifi.url, trust: 'pinned' },
  ]);
});

test('credentials are replaced as a whole, and never shown', async () => {
  const id = await addWithSite(api.admin, { credentials: { apiKey: randomSecret() } });
  expect(await order()).toBe(500);
  const path = `/controllers/${String(id)}`;
  expect((await api.admin.patch(path, { credentials: { apiKey } })).status).toBe(200);
  expect(await order()).toBe(201);
  const wrong = await api.admin.patch(path, { credentials: { username: 'x', password } });
  expect(wrong).toMatchObject({ status: 400, body: { message: 'credentials-invalid' } });
  expect(await order()).toBe(201);
  expect((await actions())[0]?.[3]).toMatchObject({ credentials: true });
});

test('stored credentials are not sent to another host because somebody changes the address', async () => {
  const id = await addWithSite(api.admin);
  const path = `/controllers/${String(id)}`;
  const moved = { url: other.url, fingerprint: other.fingerprint };
  const before = await stored();
  expect(await api.admin.patch(path, moved)).toMatchObject({
    status: 409,
    body: { message: 'credentials-required' },
  });
  expect(await stored()).toEqual(before);
  expect((await api.admin.patch(path, { ...moved, credentials: { apiKey } })).status).toBe(200);
  expect(await order()).toBe(201);
  expect(other.vouchers()).toHaveLength(1);
});

test('a controller with the same pinned certificate keeps its credentials at another address', async () => {
  const id = await addWithSite(api.admin);
  const url = unifi.url.replace('127.0.0.1', 'localhost');
  expect(await api.admin.patch(`/controllers/${String(id)}`, { url })).toMatchObject({
    status: 200,
    body: { url },
  });
  expect(await order()).toBe(201);
});

test('sites are added all or none, and a controller site is used once', async () => {
  const id = idOf(await api.admin.post('/controllers', { name: 'Probe', kind: 'simulated' }));
  const path = `/controllers/${String(id)}/sites`;
  const site = (name: string, controllerSite: string | null) => ({ name, controllerSite });
  const script = '<script>alert(1)</script>';
  expect(await api.admin.post(path, { sites: [site('Süd', 's'), site(script, 'n')] })).toMatchObject({
    status: 201,
    body: {
      sites: [
        { name: script, isActive: true, controllerName: 'Probe', controllerSite: 'n', hasLogo: false },
        { name: 'Süd', isActive: true, controllerId: id, ssid: null, defaultProfileId: null },
      ],
    },
  });
  for (const [sites, status, message] of [
    [[site('West', 'w'), site('Noch einmal', 's')], 409, 'controller-site-used'],
    [[site('West', 'w'), site('\u0007', 'x')], 400, 'name-invalid'],
    [[], 400, 'sites-required'],
  ] as const)
    expect(await api.admin.post(path, { sites })).toMatchObject({ status, body: { message } });
  expect(await api.tables.sites.all()).toHaveLength(2);
  expect((await actions()).filter(([action]) => action === 'site.add')).toHaveLength(2);
});

test('a controller is removed once nothing needs it', async () => {
  const id = await addWithSite(api.admin);
  const path = `/controllers/${String(id)}`;
  expect(await api.admin.delete(path)).toMatchObject({ status: 409, body: { message: 'controller-in-use' } });
  const [site] = await api.tables.sites.all();
  await api.tables.sites.change(site?.id ?? 0, { active: false });
  expect((await api.admin.delete(path)).status).toBe(204);
  expect(await api.admin.get('/controllers')).toMatchObject({ body: { controllers: [] } });
  expect((await actions())[0]?.[0]).toBe('controller.remove');
});

test('a controller that does not exist is not tested', async () => {
  expect(await api.admin.post('/controllers/test', { controllerId: 4711 })).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  });
});

test('health tells calls, failures and the last sync', async () => {
  const id = await addWithSite(api.admin);
  const health = async () => {
    const { body } = await api.admin.get('/controllers');
    return (body as { controllers: { health: object }[] }).controllers[0]?.health;
  };
  await order();
  expect(await health()).toMatchObject({
    state: 'ok',
    calls: 1,
    failures: 0,
    lastError: null,
    lastSyncAt: null,
  });
  await api.app.sync();
  expect(await health()).toMatchObject({ state: 'ok', lastSyncAt: expect.stringMatching(/^20/) });
  await api.admin.patch(`/controllers/${String(id)}`, { credentials: { apiKey: randomSecret() } });
  await order();
  expect(await health()).toMatchObject({
    state: 'failing',
    failures: 1,
    latencyMs: expect.any(Number),
    lastError: { de: expect.stringMatching(/API-Schlüssel/), en: expect.stringMatching(/API key/) },
  });
});
