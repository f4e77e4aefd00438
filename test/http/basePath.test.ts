import { beforeAll, describe, expect, test } from '@jest/globals';
import { withApi } from '../support/api.js';
import { testCases } from '../support/cases.js';
import { sendRaw } from '../support/rawSocket.js';
import { refusal } from '../support/refusal.js';
import { send, type Answer } from '../support/service.js';
import { adminPassword, makeBrowser, signInFirst } from '../support/web.js';

const notFound = refusal(404, 'not_found', 'Diese Adresse gibt es nicht');

/** The address in a description. */
const serverIn = ({ body }: Answer): string => (body as { servers: { url: string }[] }).servers[0]!.url;

const https = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'example.org' };

describe('with BASE_PATH=/wifi', () => {
  const api = withApi({ env: { BASE_PATH: '/wifi', TRUST_PROXY: '127.0.0.1' } });
  let host: string;
  const outside = (path: string, method = 'GET'): Promise<Answer> =>
    send(host, method, path, { key: api.key });
  beforeAll(async () => {
    host = new URL(api.url).origin;
  });

  test('the address of the service ends with it, also that of the first start', async () => {
    expect(api.url).toBe(`${host}/wifi`);
    expect(api.app.publicUrl).toBe(`${host}/wifi`);
    expect(await api.app.firstStartUrl()).toMatch(/^http:\/\/[\d.:]+\/wifi\/first-start#token=/);
  });

  test('operations are below it [service-paths-below-base]', async () => {
    for (const path of ['/sites.php', '//sites.php', '/vouchers.php?site_id=1'])
      expect((await api.get(path, { key: api.key })).status).toBe(200);
    expect((await api.createVoucher({ site_id: 1, name: 'x' })).status).toBe(201);
    const refused = await api.request('PUT', '/sites.php', { key: api.key });
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET']);
  });

  test('a method that the parser does not know gets the methods of the path', async () => {
    const allowAt = async (path: string): Promise<string | undefined> =>
      /^allow: (.*)\r$/im.exec(await sendRaw(host, `FOO ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`))?.[1];
    expect(await allowAt('/wifi/sites.php')).toBe('GET');
    expect(await allowAt('/wifi/openapi.php')).toBe('GET, HEAD');
    expect(await allowAt('/sites.php')).not.toBe('GET');
  });

  testCases([
    '',
    '/',
    '/desk',
    '/docs',
    '/docs/logo.svg',
    '/openapi.php',
    '/openapi.yaml',
    '/healthz',
    '/readyz',
    '/metrics',
  ])('pages, reference, description, health and metrics are below it', async (path) => {
    expect((await api.get(path)).status).toBe(200);
  });

  testCases([
    '/',
    '/sites.php',
    '/vouchers.php',
    '/openapi.php',
    '/docs',
    '/desk',
    '/metrics',
    '/web/session',
  ])('outside is nothing [service-paths-below-base]', async (path) => {
    const answer = await outside(path);
    expect(answer).toMatchObject(notFound);
    expect(answer.headers['x-request-id']).toMatch(/./);
  });

  testCases([
    '/wifi2/sites.php',
    '/wifisites.php',
    '/WIFI/sites.php',
    '/%77ifi/sites.php',
    '/wifi%2fsites.php',
    '/x/wifi/sites.php',
    '/wifi/wifi/sites.php',
  ])('what only looks like it is nothing', async (path) => {
    expect(await outside(path)).toMatchObject(notFound);
    expect(await outside(path, 'POST')).toMatchObject(notFound);
  });

  testCases(['/healthz', '/readyz'])(
    'a load balancer that asks the process needs no prefix',
    async (path) => {
      expect((await outside(path)).status).toBe(200);
    },
  );

  test('pages load everything from below it', async () => {
    for (const path of ['/', '/docs']) {
      const { text } = await api.get(path);
      const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!);
      expect(links.length).toBeGreaterThan(3);
      expect(links.filter((link) => !link.startsWith('/wifi/'))).toEqual([]);
    }
  });

  test('cookies are for what is below it alone', async () => {
    const { cookie } = await signInFirst(api);
    const credentials = { login: 'Anna Berger', password: adminPassword };
    const plain = await makeBrowser(api).post('/session', credentials);
    expect(plain.headers['set-cookie']?.[0]).toMatch(/^session=[\w-]+!wifi; Path=\/wifi; HttpOnly;/);
    expect((await makeBrowser(api, cookie).get('/session')).status).toBe(200);

    const secure = await makeBrowser(api).request('POST', '/session', {
      body: credentials,
      headers: https,
    });
    const [sent = ''] = secure.headers['set-cookie'] ?? [];
    expect(sent).toMatch(
      /^__Secure-session=[\w-]+!wifi; Path=\/wifi; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
    );
    const statusWith = async (pair: string): Promise<number> =>
      (await api.get('/web/session', { headers: { ...https, Cookie: pair } })).status;
    const [pair = ''] = sent.split(';');
    expect(await statusWith(pair)).toBe(200);
    expect(await statusWith(pair.replace('__Secure-', ''))).toBe(401);
  });

  test('cookies of the paths above do not get in the way of ours, and do not count', async () => {
    const credentials = { login: 'Anna Berger', password: adminPassword };
    const signIn = async (headers: Record<string, string>): Promise<string> => {
      const answer = await makeBrowser(api).request('POST', '/session', { body: credentials, headers });
      return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    };
    const above = (pair: string): string => pair.replace(/!.*/, '');
    const proxied = { ...https, 'X-Forwarded-Prefix': '/hotel' };
    for (const headers of [{}, https, proxied]) {
      const statusWith = async (Cookie: string): Promise<number> =>
        (await api.get('/web/session', { headers: { ...headers, Cookie } })).status;
      const [own, other] = [await signIn(headers), await signIn(headers)];
      expect(own).toMatch(headers === proxied ? /=[\w-]{43}!hotel!wifi$/ : /=[\w-]{43}!wifi$/);
      for (const foreign of [above(other), `${above(other)}!hotel`, `${above(other)}!wifi!x`]) {
        expect(await statusWith(`${own}; ${foreign}`)).toBe(200);
        expect(await statusWith(`${foreign}; ${own}`)).toBe(200);
        expect(await statusWith(foreign)).toBe(401);
      }
      // Which of two is ours, nothing tells.
      expect(await statusWith(`${own}; ${other}`)).toBe(401);
    }
  });

  test('single sign-on that is off leads back below it', async () => {
    const { headers } = await api.get('/web/single-sign-on');
    expect(headers.location).toBe('/wifi/sign-in?reason=single-sign-on-off');
  });

  test('what a trusted proxy has removed comes before it', async () => {
    const headers = { ...https, 'X-Forwarded-Prefix': '/hotel/' };
    expect(serverIn(await api.get('/openapi.php', { headers }))).toBe('https://example.org/hotel/wifi');
    expect((await api.get('/', { headers })).text).toContain('href="/hotel/wifi/docs/logo.svg"');
  });
});

describe('behind a trusted proxy that removes a prefix', () => {
  const api = withApi({ env: { TRUST_PROXY: '127.0.0.1' } });
  const headers = { ...https, 'X-Forwarded-Prefix': '/wifi' };

  test('the description names it', async () => {
    for (const [host, path] of [
      ['example.org', '/openapi.php'],
      ['example.org:8443', '/openapi.php'],
      ['[2001:db8::1]:8443', '/openapi.php'],
    ] as const) {
      const answer = await api.get(path, { headers: { ...headers, 'X-Forwarded-Host': host } });
      expect(serverIn(answer)).toBe(`https://${host}/wifi`);
      expect(answer.headers.vary).toContain('X-Forwarded-Prefix');
    }
    const web = await api.get('/web/openapi.php', { headers });
    expect(serverIn(web)).toBe('https://example.org/wifi/web');
  });

  test('pages, redirects and cookies have it', async () => {
    expect((await api.get('/', { headers })).text).toContain('<meta name="base-path" content="/wifi" />');
    const reference = await api.get('/docs', { headers });
    expect(reference.text).toContain('src="/wifi/docs/reference.js"');
    expect(reference.headers.vary).toBe('X-Forwarded-Prefix');
    const redirect = await api.get('/web/single-sign-on', { headers });
    expect(redirect.headers.location).toBe('/wifi/sign-in?reason=single-sign-on-off');
    await signInFirst(api);
    const body = { login: 'Anna Berger', password: adminPassword };
    const answer = await makeBrowser(api).request('POST', '/session', { body, headers });
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^__Secure-session=[\w-]+!wifi; Path=\/wifi;/);
    const Cookie = String(answer.headers['set-cookie']?.[0]).split(';')[0] ?? '';
    expect((await api.get('/web/session', { headers: { ...headers, Cookie } })).status).toBe(200);
    // Without a prefix another host of the domain may have set it.
    expect((await api.get('/web/session', { headers: { ...https, Cookie } })).status).toBe(401);
  });

  testCases([
    ['another host', '//evil.example'],
    ['an address', 'https://evil.example'],
    ['no path', 'wifi'],
    ['dots', '/a/../b'],
    ['dots alone', '/..'],
    ['a quote', '/a"onload="x'],
    ['an element', '/<script>'],
    ['an encoded slash', '/a%2f'],
    ['a backslash', '/\\evil.example'],
    ['a semicolon', '/a; Domain=example.org'],
    ['a query', '/a?b'],
    ['two values', '/a, /b'],
    ['two headers', ['/a', '/b']],
    ['15,000 characters', `/${'a'.repeat(15_000)}`],
  ])('a value that is not one plain path is ignored', async (_what, value) => {
    const hostile = { ...https, 'X-Forwarded-Prefix': value };
    expect(serverIn(await api.get('/openapi.php', { headers: hostile }))).toBe('https://example.org');
    for (const path of ['/', '/docs']) {
      const page = await api.get(path, { headers: hostile });
      expect(page.status).toBe(200);
      expect(page.text).toContain('href="/docs/logo.svg"');
    }
    const redirect = await api.get('/web/single-sign-on', { headers: hostile });
    expect(redirect.headers.location).toBe('/sign-in?reason=single-sign-on-off');
  });

  test('a head of 64 KiB is refused before it is looked at', async () => {
    const long = { 'X-Forwarded-Prefix': `/${'a'.repeat(65_536)}` };
    expect((await api.get('/openapi.php', { headers: long })).status).toBe(431);
  });
});

describe('without TRUST_PROXY', () => {
  const api = withApi();

  test('X-Forwarded-Prefix does not count', async () => {
    const headers = { 'X-Forwarded-Prefix': '/wifi' };
    expect(serverIn(await api.get('/openapi.php', { headers }))).toBe(api.url);
    expect((await api.get('/', { headers })).text).toContain('<meta name="base-path" content="" />');
    const { headers: answered } = await api.get('/web/single-sign-on', { headers });
    expect(answered.location).toBe('/sign-in?reason=single-sign-on-off');
  });
});
