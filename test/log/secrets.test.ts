import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { sharedCertificate } from '../support/certificate.js';
import { webContractFile } from '../support/contract.js';
import { exampleRequests } from '../support/exampleRequests.js';
import { leaksIn, plantSecrets, randomSecret } from '../support/secretLeaks.js';
import type { Answer } from '../support/service.js';
import { until } from '../support/until.js';
import { adminPassword, cookieOf, makeBrowser } from '../support/web.js';

const password = `${randomSecret()} Lampe`;
const typed = randomSecret();
const credential = randomSecret();
const address = randomSecret();
const smsSecret = randomSecret();
const mailPassword = randomSecret();
const clientSecret = randomSecret();
plantSecrets([password, typed, credential, address, smsSecret, mailPassword, clientSecret]);

/** What one answer shows, once. No log line may, and no other answer. */
let shownOnce: string[] = [];
/** Codes stand in answers about vouchers, and nowhere else. */
let codes: string[] = [];
plantSecrets(() => [...shownOnce, ...codes]);

/** A console, a webhook target and a provider that refuses everything, and repeats what it was sent. */
const heard: string[] = [];
const repeat = (request: IncomingMessage, response: ServerResponse): void => {
  void text(request).then((body) => {
    const { url, rawHeaders } = request;
    heard.push(body);
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: `${url} ${rawHeaders.join(' ')} ${body}` }));
  });
};
const target = createServer(repeat).listen(0, '127.0.0.1');
const consoleServer = createTlsServer(await sharedCertificate(), repeat).listen(0, '127.0.0.1');
afterAll(() => {
  target.close();
  consoleServer.close();
});
const portOf = (server: Server): string => String((server.address() as AddressInfo).port);
const origin = (): string => `http://127.0.0.1:${portOf(target)}`;

const api = withApi({ admin: true, env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
beforeAll(async () => {
  for (const server of [target, consoleServer]) if (!server.listening) await once(server, 'listening');
});

const fieldOf = ({ status, body }: Answer, name: string): string => {
  expect([status, body]).toEqual([
    expect.any(Number),
    expect.objectContaining({ [name]: expect.anything() }),
  ]);
  return String((body as Record<string, unknown>)[name]);
};

test('no key, password, credential, webhook secret or code is in a log line, an error or another answer', async () => {
  const changed = await api.admin.put('/account/password', { current: adminPassword, password });
  const admin = makeBrowser(api, cookieOf(changed));
  shownOnce.push(admin.cookie.slice('session='.length));

  // What is set up keeps its secrets, and the other side repeats them.
  const { fingerprint } = await sharedCertificate();
  const controller = {
    name: 'Zentrale',
    kind: 'unifi',
    url: `https://127.0.0.1:${portOf(consoleServer)}`,
    fingerprint,
    credentials: { apiKey: credential },
  };
  const controllerId = fieldOf(await admin.post('/controllers', controller), 'id');
  const sites = [{ name: 'Nord', controllerSite: 'default' }];
  const made = await admin.post(`/controllers/${controllerId}/sites`, { sites });
  expect(made.status).toBe(201);
  const [{ id: north } = { id: 0 }] = (await api.tables.sites.all()).filter(({ name }) => name === 'Nord');
  const chat = { name: 'Chat', format: 'slack', address: `${origin()}/services/${address}` };
  const generic = { name: 'Kasse', format: 'generic', address: `${origin()}/kasse/${address}` };
  expect((await admin.post('/webhooks', chat)).status).toBe(201);
  shownOnce.push(fieldOf(await admin.post('/webhooks', generic), 'secret'));
  const sms = {
    ...{ kind: 'http', url: origin(), user: null, from: 'Hotel', method: 'POST', secret: smsSecret },
    ...{ headers: 'X-Token: {secret}', format: 'json', body: '{"to":"{to}","text":"{text}"}' },
    ...{ sentText: null, countryCode: '49', allowedCodes: [], maxPerDay: 10 },
  };
  const mail = { host: '127.0.0.1', port: 1, security: 'opportunistic', user: 'wifi', from: 'a@example.org' };
  const provider = { issuer: origin(), clientId: 'voucherd', clientSecret };
  for (const answer of [
    await admin.post('/controllers/test', controller),
    await admin.post('/webhooks/1/test'),
    await admin.post('/webhooks/2/test'),
    await admin.put('/sms-provider', sms),
    await admin.post('/sms-provider/test', { to: '+491711234567', provider: sms }),
    await admin.put('/mail-server', { ...mail, password: mailPassword }),
    await admin.post('/mail-server/test', {
      to: 'a@example.org',
      server: { ...mail, password: mailPassword },
    }),
    await admin.put('/identity-provider', provider),
    await admin.post('/identity-provider/test', provider),
  ])
    expect([answer.text, answer.status]).toEqual([answer.text, 200]);

  // Guesses are typed by people who know the password, nearly.
  const visitor = makeBrowser(api);
  for (const login of ['Anna Berger', typed])
    expect((await visitor.post('/session', { login, password: typed })).status).toBe(401);
  const key = fieldOf(await admin.post('/keys', { name: 'Kasse', scope: 'write' }), 'secret');
  shownOnce.push(key);
  const code = fieldOf(await api.createVoucher({}, { key }), 'code');
  codes.push(code, `${code.slice(0, 5)}-${code.slice(5)}`);
  const refused = [
    await api.createVoucher({ site_id: north }, { key }),
    await api.createVoucher({ name: '' }, { key }),
    await api.get(`/vouchers.php?site_id=1&key=${key}`),
    await api.get('/sites.php', { key: typed }),
    await api.get(`/${key}/vouchers.php`),
    await api.request('POST', '/vouchers.php', { key, body: `{"key":"${key}"` }),
    await visitor.request('GET', '/session', { headers: { Cookie: `session=${typed}` } }),
    await admin.put(`/orders/${randomUUID()}`, { siteId: north, name: typed }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([500, 400, 401, 401, 404, 400, 401, 400]);
  await until('both webhooks were told', () => heard.filter((body) => body.includes('Kasse')).length >= 2);

  const answers = [...refused];
  for (const { method, path, operationId } of exampleRequests(webContractFile))
    if (method === 'GET' && operationId !== 'followEvents' && !/^\/vouchers|^\/orders/.test(path))
      answers.push(await admin.get(path));
  for (const path of ['/metrics', '/readyz', '/openapi.php', '/sites.php']) answers.push(await api.get(path));
  expect(answers.map(({ headers, text: body }) => leaksIn(JSON.stringify(headers) + body)).flat()).toEqual(
    [],
  );
  expect(leaksIn(api.lines.join('\n'))).toEqual([]);
  expect(heard.filter((body) => codes.some((secret) => body.includes(secret)))).toEqual([]);
  // They stand in answers that the service gave for them, which its end looks at once more.
  [shownOnce, codes] = [[], []];
});
