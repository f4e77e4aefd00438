import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startOidcProvider, type OidcProvider } from '../../simulators/oidcProvider.js';
import { prepareDemo } from '../../src/cli/serve/demo.js';
import { plantSecrets } from '../support/secretLeaks.js';
import { startService, type TestService } from '../support/service.js';

const origin = 'https://vouchers.example.org:8443';
const publicUrl = `${origin}/guests`;

let provider: OidcProvider;
let service: TestService;
beforeAll(async () => {
  provider = await startOidcProvider();
  plantSecrets([provider.clientSecret]);
  service = await startService({
    env: {
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
    },
  });
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

test('the address of the first administrator begins with it', async () => {
  expect(await service.app.firstStartUrl()).toMatch(
    /^https:\/\/vouchers\.example\.org:8443\/guests\/first-start#/,
  );
});

test('what a demo prints can be pasted elsewhere', async () => {
  const text = await prepareDemo(service.app);
  expect(text).toContain(`${publicUrl}/docs`);
  expect(text).toContain(`${publicUrl}/vouchers.php`);
  expect(text).not.toContain(service.url);
});

test('people come back to it from single sign-on', async () => {
  const { status, headers } = await service.get('/web/single-sign-on');
  expect(status).toBe(302);
  expect(new URL(headers.location ?? '').searchParams.get('redirect_uri')).toBe(
    `${publicUrl}/web/single-sign-on/callback`,
  );
});

test.each([
  [origin, 401],
  ['https://vouchers.example.org', 403],
  ['https://evil.example', 403],
])('a browser at %s that only sends its origin gets %d', async (sent, status) => {
  const headers = { Origin: sent, 'Content-Type': 'application/json' };
  const credentials = { login: 'Anna', password: 'wrong' };
  expect((await service.post('/web/session', credentials, { headers })).status).toBe(status);
});

test('the description names the host of the request, as specified', async () => {
  expect((await service.get('/openapi.php')).body).toMatchObject({ servers: [{ url: service.url }] });
});
