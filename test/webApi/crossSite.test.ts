import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { startService } from '../support/service.js';
import { signInFirst } from '../support/web.js';

const api = withAdmin();

const languageFrom = (headers: Record<string, string>) =>
  api.request('PUT', '/web/account/language', {
    headers: { Cookie: api.admin.cookie, 'Content-Type': 'application/json', ...headers },
    body: { language: 'de' },
  });

test.each([
  ['from the pages', () => ({ 'Sec-Fetch-Site': 'same-origin' }), 204],
  ['from the pages, by a browser without Sec-Fetch-Site', () => ({ Origin: api.url }), 204],
  ['from another site', () => ({ 'Sec-Fetch-Site': 'cross-site', Origin: api.url }), 403],
  ['from another host of the domain', () => ({ 'Sec-Fetch-Site': 'same-site' }), 403],
  ['from an address bar', () => ({ 'Sec-Fetch-Site': 'none' }), 403],
  ['from another origin', () => ({ Origin: 'https://evil.example' }), 403],
  ['from a page without an origin', () => ({ Origin: 'null' }), 403],
  ['from nowhere', () => ({}), 403],
])('a change %s is answered with the right status', async (_, headers, status) => {
  expect((await languageFrom(headers())).status).toBe(status);
});

test('a change that is not JSON is refused', async () => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'text/plain' };
  expect(await languageFrom(headers)).toMatchObject({ status: 400, body: { message: 'json-required' } });
});

test('over HTTPS only the cookie with the prefix counts', async () => {
  const proxied = await startService({ env: { TRUST_PROXY: '127.0.0.1' } });
  try {
    const { cookie } = await signInFirst(proxied);
    const statusOver = async (protocol: string, sent: string): Promise<number> => {
      const headers = { Cookie: sent, 'X-Forwarded-Proto': protocol };
      return (await proxied.get('/web/session', { headers })).status;
    };
    expect(await statusOver('http', cookie)).toBe(200);
    expect(await statusOver('https', cookie)).toBe(401);
    expect(await statusOver('https', `__Host-${cookie}`)).toBe(200);
  } finally {
    await proxied.stop();
  }
});
