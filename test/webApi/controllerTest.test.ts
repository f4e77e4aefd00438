import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startUnifiConsole, type UnifiConsole } from '../../simulators/unifi/console.js';
import { withAdmin } from '../support/api.js';
import { sharedCertificate } from '../support/certificate.js';
import { plantSecrets, randomSecret } from '../support/secretLeaks.js';
import type { Answer } from '../support/service.js';
import { until } from '../support/until.js';

const apiKey = randomSecret();
const wrongKey = randomSecret();
const password = randomSecret();
plantSecrets([apiKey, wrongKey, password]);
const api = withAdmin({ env: { CONTROLLER_DEADLINE_S: '60' } });
let unifi: UnifiConsole;
let silent: Server;
/** The connections of the silent server on which a handshake was begun. */
const sockets = new Set<Socket>();
beforeAll(async () => {
  const sites = [
    { reference: 'default', name: 'Default' },
    { reference: 'annex', name: '<b>Nebengebäude</b>' },
  ];
  unifi = await startUnifiConsole({ certificate: await sharedCertificate(), apiKey, password, sites });
  silent = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    // What a handshake begins with; a connection that was only tried sends nothing.
    socket.on('data', () => sockets.add(socket));
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(async () => {
  await unifi.stop();
  for (const socket of sockets) socket.destroy();
  silent.close();
});

const silentUrl = (): string => `https://127.0.0.1:${String((silent.address() as AddressInfo).port)}`;

interface Step {
  readonly step: string;
  readonly state: string;
  readonly message?: { readonly de: string; readonly en: string };
  readonly remedy?: { readonly de: string; readonly en: string };
  readonly certificate?: Record<string, unknown>;
  readonly version?: string;
  readonly sites?: readonly unknown[];
}

const stepsOf = ({ status, headers, text }: Answer): Step[] => {
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/event-stream/);
  const events = text.split('\n\n').filter((event) => event.startsWith('event: '));
  expect(events.at(-1)).toBe('event: end\ndata: {}');
  return events.slice(0, -1).map((event) => JSON.parse(event.split('\ndata: ')[1] ?? '') as Step);
};

const runTest = async (body: object): Promise<Step[]> =>
  stepsOf(await api.admin.post('/controllers/test', body));
const summary = (steps: readonly Step[]): string[] => steps.map(({ step, state }) => `${step} ${state}`);
const ended = (steps: readonly Step[], name: string): Step | undefined =>
  steps.find(({ step, state }) => step === name && state !== 'running');

test('each step is told when it begins and when it ends, and the last one offers the sites', async () => {
  const { url, fingerprint } = unifi;
  const steps = await runTest({ kind: 'unifi', url, fingerprint, credentials: { apiKey } });
  expect(summary(steps)).toEqual([
    'settings running',
    'settings ok',
    'name skipped',
    'connection running',
    'connection ok',
    'certificate running',
    'certificate ok',
    'sign-in running',
    'sign-in ok',
    'version running',
    'version ok',
    'sites running',
    'sites ok',
  ]);
  expect(ended(steps, 'certificate')?.certificate).toMatchObject({ fingerprint, isTrusted: true });
  expect(ended(steps, 'version')).toMatchObject({ version: '10.5.66' });
  expect(ended(steps, 'sites')).toMatchObject({
    sites: [
      { id: 'default', name: 'Default', siteId: null },
      { id: 'annex', name: '<b>Nebengebäude</b>', siteId: null },
    ],
  });
  expect(await api.tables.controllers.all()).toEqual([]);
});

test('user and password are tested, too, and a name is looked up', async () => {
  const url = unifi.url.replace('127.0.0.1', 'localhost');
  const credentials = { username: 'voucherd', password };
  const steps = await runTest({ kind: 'unifi-classic', url, fingerprint: unifi.fingerprint, credentials });
  expect(ended(steps, 'name')).toMatchObject({
    state: 'ok',
    message: { de: expect.stringContaining('127.0.0.1') },
  });
  expect(ended(steps, 'sites')).toMatchObject({ state: 'ok' });
});

test('a certificate that is not trusted fails with what is needed to compare and pin it', async () => {
  const calls = unifi.counts.calls;
  const steps = await runTest({ kind: 'unifi', url: unifi.url, credentials: { apiKey } });
  expect(ended(steps, 'certificate')).toMatchObject({
    state: 'failed',
    message: { de: expect.stringMatching(/selbst signiert/), en: expect.stringMatching(/self-signed/) },
    remedy: { de: expect.stringMatching(/Fingerabdruck/), en: expect.stringMatching(/fingerprint/) },
    certificate: {
      fingerprint: unifi.fingerprint,
      subject: 'CN=unifi.local',
      issuer: 'CN=unifi.local',
      validFrom: expect.stringMatching(/^20.*Z$/),
      validTo: expect.stringMatching(/^20.*Z$/),
      isTrusted: false,
    },
  });
  expect(summary(steps).slice(-3)).toEqual(['sign-in skipped', 'version skipped', 'sites skipped']);
  expect(unifi.counts.calls).toBe(calls);
});

test('another certificate than the pinned one fails, and its own CA is enough', async () => {
  const { url, certificate } = unifi;
  const body = { kind: 'unifi', url, credentials: { apiKey } };
  const pinned = await runTest({ ...body, fingerprint: `${'AB:'.repeat(31)}AB` });
  expect(ended(pinned, 'certificate')).toMatchObject({
    state: 'failed',
    certificate: { fingerprint: unifi.fingerprint, isTrusted: false },
  });
  const byCa = await runTest({ ...body, caCertificates: certificate });
  expect(ended(byCa, 'certificate')?.certificate).toMatchObject({ isTrusted: true });
});

test.each<[string, () => object, string, RegExp]>([
  ['no address', () => ({ url: undefined }), 'settings', /Adresse/],
  ['an address with a password', () => ({ url: `https://u:${password}@h` }), 'settings', /Adresse/],
  ['no credentials', () => ({ credentials: undefined }), 'settings', /Zugangsdaten/],
  ['a name that does not exist', () => ({ url: 'https://unifi.invalid' }), 'name', /Name/],
  ['a port where nothing listens', () => ({ url: 'https://127.0.0.1:1' }), 'connection', /abgelehnt/],
  ['a wrong key', () => ({ credentials: { apiKey: wrongKey } }), 'sign-in', /API-Schlüssel/],
])('%s fails where it belongs, and says so in both languages', async (_, values, step, message) => {
  const { url, fingerprint } = unifi;
  const body = { kind: 'unifi', url, fingerprint, credentials: { apiKey }, ...values() };
  const steps = await runTest(body);
  const failed = steps.filter(({ state }) => state === 'failed');
  expect(failed).toMatchObject([{ step, message: { de: expect.stringMatching(message) } }]);
  expect(failed[0]?.message?.en).not.toBe(failed[0]?.message?.de);
  expect(JSON.stringify(steps)).not.toMatch(/voucherd |npx|--/);
});

test('a stored controller is tested with its own credentials, and says which sites are used', async () => {
  const { url, fingerprint } = unifi;
  const added = await api.admin.post('/controllers', {
    name: 'Gespeichert',
    kind: 'unifi',
    url,
    fingerprint,
    credentials: { apiKey },
  });
  const controllerId = (added.body as { id: number }).id;
  const sites = [{ name: 'Nebengebäude', controllerSite: 'annex' }];
  await api.admin.post(`/controllers/${String(controllerId)}/sites`, { sites });
  const steps = await runTest({ controllerId });
  expect(ended(steps, 'sites')).toMatchObject({
    sites: [
      { id: 'default', siteId: null },
      { id: 'annex', siteId: expect.any(Number) },
    ],
  });
  const wrong = await runTest({ controllerId, credentials: { apiKey: wrongKey } });
  expect(ended(wrong, 'sign-in')).toMatchObject({ state: 'failed' });
  const elsewhere = await runTest({ controllerId, url: silentUrl(), fingerprint: null });
  expect(ended(elsewhere, 'settings')).toMatchObject({ state: 'failed' });
  expect(sockets.size).toBe(0);
});

test('one without hardware needs no address', async () => {
  const steps = await runTest({ kind: 'simulated' });
  expect(summary(steps)).toContain('certificate skipped');
  expect(ended(steps, 'sites')).toMatchObject({ state: 'ok', sites: [{ id: 'default' }] });
});

/** Begins a test that hangs, as a browser that can leave. */
const beginHanging = () => {
  const body = JSON.stringify({ kind: 'unifi', url: silentUrl(), credentials: { apiKey } });
  const leaving = request(`${api.url}/web/controllers/test`, {
    method: 'POST',
    agent: false,
    headers: {
      Cookie: api.admin.cookie,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
    },
  });
  leaving.on('error', () => undefined);
  leaving.end(body);
  return leaving;
};

test('a test ends when its client goes, and only a few run at a time', async () => {
  const clients = Array.from({ length: 4 }, beginHanging);
  await until('four handshakes', () => sockets.size === 4);
  const refused = await api.admin.post('/controllers/test', { kind: 'simulated' });
  expect(refused).toMatchObject({ status: 503, body: { error: 'unavailable' } });
  for (const client of clients) client.destroy();
  await until('the end of their connections', () => sockets.size === 0);
  const again = await until('a free place', async () => {
    const answer = await api.admin.post('/controllers/test', { kind: 'simulated' });
    return answer.status === 200 && answer;
  });
  expect(summary(stepsOf(again))).toContain('sites ok');
});

test('a controller that is added after its test passed is known to answer, and one with another connection is not', async () => {
  const { url, fingerprint } = unifi;
  const connection = { kind: 'unifi', url, fingerprint };
  const stateOf = async (name: string): Promise<string | undefined> => {
    const { controllers } = (await api.admin.get('/controllers')).body as {
      controllers: { id: number; name: string; health: { state: string } }[];
    };
    return controllers.find((controller) => controller.name === name)?.health.state;
  };
  const add = async (name: string, key: string): Promise<number> => {
    const body = { ...connection, name, credentials: { apiKey: key }, force: true };
    return ((await api.admin.post('/controllers', body)).body as { id: number }).id;
  };
  await runTest({ ...connection, credentials: { apiKey } });
  await runTest({ ...connection, credentials: { apiKey: wrongKey } });
  await add('Tested', apiKey);
  expect(await stateOf('Tested')).toBe('ok');
  const failedId = await add('Failed', wrongKey);
  expect(await stateOf('Failed')).toBe('unknown');
  // A test tells of one controller.
  const untestedId = await add('Untested', apiKey);
  expect(await stateOf('Untested')).toBe('unknown');
  // With what is stored, and with nothing else.
  await runTest({ controllerId: failedId });
  await runTest({ controllerId: failedId, credentials: { apiKey } });
  expect(await stateOf('Failed')).toBe('unknown');
  await runTest({ controllerId: untestedId });
  expect(await stateOf('Untested')).toBe('ok');
});
