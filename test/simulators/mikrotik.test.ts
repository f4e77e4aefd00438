import { EventEmitter } from 'node:events';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runSimulator } from '../../simulators/main.js';
import { startMikrotikRouter, type MikrotikRouter } from '../../simulators/mikrotik/router.js';
import { sharedCertificate } from '../support/certificate.js';
import { until } from '../support/until.js';

let router: MikrotikRouter;
let ahead = 0;
beforeAll(async () => {
  router = await startMikrotikRouter({
    certificate: await sharedCertificate(),
    clock: () => Date.now() + ahead,
    userManager: 'on',
    servers: ['haus', 'garten'],
  });
});
afterAll(() => router.stop());

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const send = (method: string, path: string, body?: unknown, password = router.password): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const options = { method, auth: `${router.username}:${password}`, rejectUnauthorized: false };
    request(`${router.url}/rest${path}`, options, (res) => {
      text(res).then(
        (answer) =>
          resolve({
            status: res.statusCode ?? 0,
            body: answer === '' ? '' : (JSON.parse(answer) as unknown),
          }),
        reject,
      );
    })
      .on('error', reject)
      .end(body === undefined ? '' : JSON.stringify(body));
  });

const user = '/ip/hotspot/user';

describe('the simulated MikroTik router', () => {
  test('answers no one without the password', async () => {
    expect(await send('GET', '/system/resource', undefined, 'x')).toMatchObject({
      status: 401,
      body: { error: 401, message: 'Unauthorized' },
    });
  });

  test('adds, shows, changes and removes items, all values being text', async () => {
    const added = await send('PUT', user, { name: 'a', 'limit-uptime': '90m', 'limit-bytes-total': 1000 });
    expect(added).toMatchObject({
      status: 201,
      body: {
        '.id': expect.stringMatching(/^\*[0-9A-F]+$/),
        name: 'a',
        'limit-uptime': '1h30m',
        'limit-bytes-total': '1000',
        disabled: 'false',
        profile: 'default',
        server: 'all',
      },
    });
    const { '.id': id } = added.body as { '.id': string };
    const item = `${user}/${encodeURIComponent(id)}`;
    expect(await send('GET', item)).toEqual({ status: 200, body: added.body });
    expect(await send('PATCH', item, { disabled: true })).toMatchObject({
      status: 200,
      body: { disabled: 'true' },
    });
    expect(await send('DELETE', item)).toEqual({ status: 204, body: '' });
    expect(await send('DELETE', item)).toMatchObject({
      status: 404,
      body: { error: 404, message: 'Not Found' },
    });
  });

  test('answers the command "add" with the id alone', async () => {
    expect(await send('POST', `${user}/add`, { name: 'b' })).toEqual({
      status: 200,
      body: { ret: expect.stringMatching(/^\*/) },
    });
  });

  test('lists what a filter or a query finds, and only the properties that are wanted', async () => {
    for (const name of ['c', 'd', 'e']) await send('PUT', user, { name });
    expect(await send('GET', `${user}?name=c&.proplist=name,server`)).toEqual({
      status: 200,
      body: [{ name: 'c', server: 'all' }],
    });
    const query = ['name=c', 'name=e', '#|'];
    expect(await send('POST', `${user}/print`, { '.proplist': ['name'], '.query': query })).toEqual({
      status: 200,
      body: [{ name: 'c' }, { name: 'e' }],
    });
    expect(await send('POST', `${user}/print`, { '.query': ['name=nobody'] })).toEqual({
      status: 200,
      body: [],
    });
  });

  test('refuses a name twice for one server, what does not exist, and what is not known', async () => {
    await send('PUT', user, { name: 'f', server: 'haus' });
    for (const [values, detail] of [
      [{ name: 'f', server: 'haus' }, 'failure: already have user with this name for this server'],
      [{ name: 'g', server: 'keller' }, 'input does not match any value of server'],
      [{ name: 'g', profile: 'x' }, 'input does not match any value of profile'],
      [{ server: 'haus' }, 'missing value(s) of argument(s) name'],
      [{ name: 'g', color: 'red' }, 'unknown parameter color'],
      [{ name: 'g', 'limit-uptime': 'long' }, 'invalid time value for argument limit-uptime'],
    ] as const)
      expect(await send('PUT', user, values)).toEqual({
        status: 400,
        body: { error: 400, message: 'Bad Request', detail },
      });
    expect((await send('PUT', user, { name: 'f', server: 'garten' })).status).toBe(201);
    expect(await send('GET', '/no/such/menu')).toMatchObject({ status: 400 });
  });

  test('lets no user of User Manager in without a profile, whose time begins at the first sign-in', async () => {
    const menu = '/user-manager';
    await send('PUT', `${menu}/user`, { name: '123', password: '123', 'shared-users': '2' });
    expect(() => router.use('123')).toThrow(/no profile/);
    await send('PUT', `${menu}/profile`, { name: 'p', validity: '1h', 'starts-when': 'first-auth' });
    await send('PUT', `${menu}/user-profile`, { user: '123', profile: 'p' });
    router.use('123', 2);
    expect(() => router.use('123')).toThrow(/2 are online/);
    const assigned = `${menu}/user-profile?user=123`;
    expect(await send('GET', assigned)).toMatchObject({
      body: [
        { state: 'running-active', 'end-time': expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) },
      ],
    });
    expect((await send('GET', '/ip/hotspot/active?user=123')).body).toHaveLength(2);
    ahead += 3_600_001;
    expect(await send('GET', assigned)).toMatchObject({ body: [{ state: 'used' }] });
    expect(await send('GET', '/ip/hotspot/active')).toEqual({ status: 200, body: [] });
    expect(() => router.use('123')).toThrow(/expired/);
  });
});

test('the command prints what adds it', async () => {
  const signals = new EventEmitter();
  let out = '';
  const io = {
    env: {},
    out: (line: string) => void (out += line),
    err: (line: string) => void (out += line),
  };
  const args = ['mikrotik', '--port', '0', '--server', 'Haus "Süd"', '--user-manager', 'on', '--seed', '2'];
  const ended = runSimulator(args, io, signals);
  await until('it waits for a signal', () => signals.listenerCount('SIGTERM') > 0);
  expect(out).toMatch(/PASSWORD=\w+ npx voucherd controller add --name Router --kind mikrotik --url https:/);
  expect(out).toMatch(/site add --name 'Haus "Süd"' --controller Router --controller-site 'Haus "Süd"'/);
  signals.emit('SIGTERM');
  expect(await ended).toBe(0);
});
