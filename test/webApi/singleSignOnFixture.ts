import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { startOidcProvider, type OidcProvider } from '../../simulators/oidcProvider.js';
import { withAdmin, type Api } from '../support/api.js';
import { plantSecrets } from '../support/secretLeaks.js';
import { send, type Answer, type TestService } from '../support/service.js';
import { cookieOf, makeBrowser, type Browser } from '../support/web.js';

/** One identity provider for all tests of a file. Before each of them it works, and knows Anna Berger. */
export const withIdentityProvider = (): (() => OidcProvider) => {
  let provider: OidcProvider | undefined;
  const current = (): OidcProvider => {
    if (!provider) throw new Error('withIdentityProvider(): it runs only in hooks and tests');
    return provider;
  };
  beforeAll(async () => {
    provider = await startOidcProvider();
    plantSecrets([provider.clientSecret]);
  });
  beforeEach(() => {
    current().behave({});
    current().person({ email: 'anna@example.org', email_verified: true, name: 'Anna Berger' });
  });
  afterAll(() => provider?.stop());
  return current;
};

/** The settings of a service that signs people in at a provider. */
export const settingsFor = (provider: OidcProvider) => ({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_NAME: 'Firma',
});

/** A service for each test that signs people in at this provider, with an administrator called Chef. */
export const withSingleSignOn = (
  provider: () => OidcProvider,
  more: Readonly<Record<string, string>> = {},
): Api =>
  withAdmin({
    admin: 'Chef',
    beforeStart: () => ({ env: { ...settingsFor(provider()), ...more } }),
    perTest: 'service',
  });

export const locationOf = ({ headers }: Answer): string => headers.location ?? '';

/** A browser that goes to the provider. Returns what it brings back: our address with the answer, and its cookie. */
export const visitProvider = async (service: TestService): Promise<{ back: URL; cookie: string }> => {
  const begun = await makeBrowser(service).get('/single-sign-on');
  expect(begun.status).toBe(302);
  const target = new URL(locationOf(begun));
  const answer = await send(target.origin, 'GET', target.pathname + target.search);
  expect(answer.status).toBe(302);
  return { back: new URL(locationOf(answer)), cookie: cookieOf(begun) };
};

/** Comes back from the provider, as a navigation from another site. */
export const comeBack = (
  service: TestService,
  { back, cookie }: { back: URL; cookie: string },
): Promise<Answer> =>
  service.request('GET', back.pathname + back.search, {
    headers: { 'Sec-Fetch-Site': 'cross-site', ...(cookie !== '' && { Cookie: cookie }) },
  });

/** Goes to the provider and comes back. */
export const signInAtProvider = async (service: TestService): Promise<Answer> =>
  comeBack(service, await visitProvider(service));

/** Back at our page for signing in, with a reason and without a session. */
export const expectRefused = (answer: Answer, reason: string): void => {
  expect([answer.status, locationOf(answer)]).toEqual([302, `/sign-in?reason=${reason}`]);
  expect(answer.headers['set-cookie']?.join() ?? '').not.toMatch(/(^|,)session=[^;]/);
};

/** Adds a user whose address is that of Anna Berger; returns the id. */
export const addUser = async (admin: Browser, values: object = {}): Promise<number> => {
  const body = { name: 'Anna B.', email: 'Anna@Example.org', role: 'staff', ...values };
  const created = await admin.post('/users', body);
  expect(created.status).toBe(201);
  return (created.body as { user: { id: number } }).user.id;
};
