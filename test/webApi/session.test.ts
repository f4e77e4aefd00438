import { beforeEach, expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { webContractFile } from '../support/contract.js';
import { exampleRequests } from '../support/exampleRequests.js';
import { adminPassword, cookieOf, makeBrowser, signIn, signInNew } from '../support/web.js';

const api = withAdmin({ env: { TRUST_PROXY: '127.0.0.1' } });
beforeEach(() => api.database.write('rate_limits').delete());

test('a session is a cookie that script can not read, and ends at sign-out', async () => {
  const login = { login: 'anna berger', password: adminPassword };
  const answer = await makeBrowser(api).post('/session', login);
  expect(answer.headers['set-cookie']?.[0]).toMatch(
    /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
  );
  const browser = makeBrowser(api, cookieOf(answer));
  const out = await browser.delete('/session');
  expect(out.status).toBe(204);
  expect(out.headers['set-cookie']?.[0]).toMatch(/^session=; .*Max-Age=0/);
  expect(await browser.get('/session')).toMatchObject({ status: 401, body: { message: 'session-ended' } });
});

test('over HTTPS only the cookie with the prefix counts', async () => {
  const statusOver = async (protocol: string, cookie: string): Promise<number> => {
    const headers = { Cookie: cookie, 'X-Forwarded-Proto': protocol };
    return (await api.get('/web/session', { headers })).status;
  };
  const { cookie } = api.admin;
  expect(await statusOver('http', cookie)).toBe(200);
  expect(await statusOver('https', cookie)).toBe(401);
  expect(await statusOver('https', `__Host-${cookie}`)).toBe(200);
});

test('a session has ten wrong passwords in a quarter of an hour', async () => {
  const jonas = await signInNew(api, api.admin, { name: 'Jonas', role: 'staff' });
  const change = (current: string) =>
    jonas.put('/account/password', { current, password: 'Lampe Fluss Zwiebel 7' });
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await change('falsch')).status).toBe(409);
  expect((await change(adminPassword)).status).toBe(429);
});

test.each([
  ['the current one is wrong', { current: 'falsch', password: adminPassword }, 409, 'password-wrong'],
  ['the new one is short', { current: adminPassword, password: 'kurz' }, 409, 'password-short'],
  ['there is no new one', { current: adminPassword }, 400, 'password-short'],
])('a password is not changed when %s', async (_, body, status, message) => {
  expect(await api.admin.put('/account/password', body)).toMatchObject({ status, body: { message } });
  expect((await api.admin.get('/session')).status).toBe(200);
});

test('sessions are listed, and ended one by one', async () => {
  const petra = await signInNew(api, api.admin, { name: 'Petra', role: 'staff' });
  const elsewhere = await signIn(api, 'Petra', adminPassword);
  const { sessions } = (await petra.get('/account/sessions')).body as {
    sessions: { id: string; isCurrent: boolean }[];
  };
  expect(sessions).toHaveLength(2);
  const { id } = sessions.find(({ isCurrent }) => !isCurrent)!;
  expect((await petra.delete(`/account/sessions/${id}`)).status).toBe(204);
  expect((await elsewhere.get('/session')).status).toBe(401);
  expect((await petra.get('/session')).status).toBe(200);
  expect((await petra.delete(`/account/sessions/${id}`)).status).toBe(404);
});

test('where no body is read, its type says nothing', async () => {
  const petra = await signInNew(api, api.admin, { name: 'Petra Vogt', role: 'staff' });
  const headers = { 'Content-Type': 'text/plain' };
  const statuses = await Promise.all([
    ...['/identity-provider', '/mail-server', '/sms-provider'].map(
      async (path) => (await api.admin.request('DELETE', path, { headers })).status,
    ),
    petra.request('DELETE', '/session', { headers }).then(({ status }) => status),
  ]);
  expect(statuses).toEqual([404, 404, 404, 204]);
});

test('no answer may be stored, by a browser or on the way', async () => {
  for (const path of ['/session', '/users', '/audit.csv', '/nothing-there'])
    expect((await api.admin.get(path)).headers['cache-control'] ?? 'no-store').toBe('no-store');
  expect((await api.admin.get('/audit.csv')).headers['cache-control']).toBe('no-store');
});

test('the language is kept with the user', async () => {
  const change = (language: string) => api.admin.put('/account/language', { language });
  expect((await change('en')).status).toBe(204);
  expect(await api.admin.get('/session')).toMatchObject({ body: { language: 'en' } });
  expect((await change('fr')).status).toBe(204);
  // Guests read it, but no page for users is in it.
  expect((await change('pl')).status).toBe(400);
});

const languageFrom = (headers: Record<string, string>) =>
  api.request('PUT', '/web/account/language', {
    headers: { Cookie: api.admin.cookie, 'Content-Type': 'application/json', ...headers },
    body: { language: 'de' },
  });

test('a change has to come from the pages', async () => {
  const cases: [string, Record<string, string>, number][] = [
    ['from the pages', { 'Sec-Fetch-Site': 'same-origin' }, 204],
    ['from the pages, by a browser without Sec-Fetch-Site', { Origin: api.url }, 204],
    ['from another site', { 'Sec-Fetch-Site': 'cross-site', Origin: api.url }, 403],
    ['from another host of the domain', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['from an address bar', { 'Sec-Fetch-Site': 'none' }, 403],
    ['from another origin', { Origin: 'https://evil.example' }, 403],
    ['from a page without an origin', { Origin: 'null' }, 403],
    ['from nowhere', {}, 403],
  ];
  for (const [name, headers, status] of cases)
    expect([name, (await languageFrom(headers)).status]).toEqual([name, status]);
});

test('a change that is not JSON is refused', async () => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'text/plain' };
  expect(await languageFrom(headers)).toMatchObject({ status: 400, body: { message: 'json-required' } });
});

test('no operation changes anything for another site', async () => {
  const changes = exampleRequests(webContractFile).filter(({ method }) => method !== 'GET');
  expect(changes.length).toBeGreaterThan(80);
  for (const { operationId, method, path, body } of changes)
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'Sec-Fetch-Site': site, Origin: 'https://other.example' };
      const options = body === undefined ? { headers } : { headers, body };
      const { status, body: answer } = await api.admin.request(method, path, options);
      expect({ operationId, site, status, answer }).toEqual({
        ...{ operationId, site, status: 403 },
        answer: expect.objectContaining({ error: 'forbidden', message: 'foreign-origin' }),
      });
    }
  expect((await api.admin.get('/session')).status).toBe(200);
});
