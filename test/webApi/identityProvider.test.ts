import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { cookieOf, makeBrowser } from '../support/web.js';
import {
  addUser,
  locationOf,
  settingsFor,
  signInAtProvider,
  withIdentityProvider,
} from './singleSignOnFixture.js';

const provider = withIdentityProvider();
const settings = () => ({ issuer: provider().issuer, clientId: provider().clientId });
const complete = () => ({ ...settings(), clientSecret: provider().clientSecret, name: 'Firma' });

describe('an identity provider that is set up in the web UI', () => {
  const api = withAdmin();
  beforeEach(async () => {
    await api.admin.delete('/identity-provider');
  });

  test('lets people in at once, and no more when it is removed', async () => {
    expect((await api.admin.get('/identity-provider')).body).toMatchObject({
      issuer: null,
      fixed: [],
      fault: 'issuer-missing',
      callback: `${api.url}/web/single-sign-on/callback`,
      isCallbackFixed: false,
    });
    const saved = await api.admin.put('/identity-provider', complete());
    expect(saved).toMatchObject({ status: 200, body: { hasClientSecret: true, fault: null, name: 'Firma' } });
    expect(saved.text).not.toContain(provider().clientSecret);
    expect(JSON.stringify(await api.database.read('connections').select())).not.toContain(
      provider().clientSecret,
    );
    expect((await makeBrowser(api).get('/start')).body).toMatchObject({ singleSignOn: 'Firma' });
    await addUser(api.admin);
    const answer = await signInAtProvider(api);
    expect(locationOf(answer)).toBe('/');
    expect((await makeBrowser(api, cookieOf(answer)).get('/session')).body).toMatchObject({
      name: 'Anna B.',
    });
    // A change of the button keeps the secret.
    expect((await api.admin.put('/identity-provider', { ...settings(), name: 'Haus' })).status).toBe(200);
    expect((await makeBrowser(api).get('/start')).body).toMatchObject({ singleSignOn: 'Haus' });
    expect((await api.admin.delete('/identity-provider')).status).toBe(204);
    expect((await makeBrowser(api).get('/start')).body).toMatchObject({ singleSignOn: null });
    expect(locationOf(await makeBrowser(api).get('/single-sign-on'))).toBe(
      '/sign-in?reason=single-sign-on-off',
    );
    expect((await api.admin.delete('/identity-provider')).status).toBe(404);
  });

  test('a stored secret is sent to no other provider and for no other client', async () => {
    await api.admin.put('/identity-provider', complete());
    for (const other of [{ issuer: 'https://id.example.org' }, { clientId: 'other' }])
      for (const answer of [
        await api.admin.put('/identity-provider', { ...settings(), ...other }),
        await api.admin.post('/identity-provider/test', { ...settings(), ...other }),
      ])
        expect(answer).toMatchObject({ status: 409, body: { message: 'client-secret-required' } });
    expect((await api.admin.get('/identity-provider')).body).toMatchObject(settings());
  });

  test('is tested before it is saved: the provider, and whether it knows the client', async () => {
    const testIt = async (values: object) => {
      const answer = await api.admin.post('/identity-provider/test', values);
      expect(answer.status).toBe(200);
      return (answer.body as { steps: { step: string; outcome: string; detail: string | null }[] }).steps;
    };
    expect(await testIt(complete())).toEqual([
      { step: 'discovery', outcome: 'ok', detail: null },
      { step: 'credentials', outcome: 'ok', detail: null },
    ]);
    const wrong = await testIt({ ...complete(), clientSecret: 'falsch falsch falsch' });
    expect(wrong).toMatchObject([{ outcome: 'ok' }, { step: 'credentials', outcome: 'failed' }]);
    expect(JSON.stringify(wrong)).not.toContain('falsch falsch');
    provider().behave({ isBroken: true });
    expect(await testIt(complete())).toMatchObject([{ step: 'discovery', outcome: 'failed' }]);
    for (const endpoint of [undefined, 7, 'javascript:alert(1)', 'authorize']) {
      provider().behave({ metadata: { authorization_endpoint: endpoint } });
      expect({ endpoint, steps: await testIt(complete()) }).toEqual({
        endpoint,
        steps: [
          {
            step: 'discovery',
            outcome: 'failed',
            detail: 'the provider names no valid authorization_endpoint',
          },
        ],
      });
    }
    provider().behave({});
    expect(await testIt({ ...complete(), issuer: 'http://127.0.0.1:1' })).toMatchObject([
      { step: 'discovery', outcome: 'failed' },
    ]);
    expect((await api.admin.get('/identity-provider')).body).toMatchObject({ issuer: null });
  });

  test('what somebody else has changed since is not replaced', async () => {
    const change = (values: object) => api.admin.put('/identity-provider', { ...complete(), ...values });
    const none = { issuer: null, clientId: null, name: null };
    expect((await change({ name: 'Eins', before: none })).status).toBe(200);
    const one = { ...settings(), name: 'Eins' };
    expect(await change({ name: 'Zwei', before: none })).toMatchObject({
      status: 409,
      body: { message: 'changed-meanwhile' },
    });
    expect((await api.admin.get('/identity-provider')).body).toMatchObject(one);
    // Two at the same moment: one of them is told.
    const answers = await Promise.all(['Zwei', 'Drei'].map((name) => change({ name, before: one })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers.find(({ status }) => status === 200)!.body as { name: string };
    expect((await api.admin.get('/identity-provider')).body).toMatchObject({ name: winner.name });
    expect((await change({ before: { issuer: 'x'.repeat(65_536) } })).status).toBe(413);
    expect((await change({ before: { name: 'x'.repeat(101) } })).status).toBe(400);
  });

  test('can not be saved without a client secret', async () => {
    expect(await api.admin.put('/identity-provider', settings())).toMatchObject({
      status: 409,
      body: { message: 'client-secret-required' },
    });
    expect((await api.admin.get('/identity-provider')).body).toMatchObject({ issuer: null });
  });

  test('that names an address of a cloud as its own is not asked there, and shows nothing of a secret that it repeats', async () => {
    const clientSecret = 'Zwiebelkuchen-mit-Speck-47';
    let tokenEndpoint = '';
    const hostile = createServer((request, response) => {
      const issuer = `http://${String(request.headers.host)}`;
      const isDiscovery = request.url === '/.well-known/openid-configuration';
      response.writeHead(isDiscovery ? 200 : 400, { 'content-type': 'application/json' }).end(
        JSON.stringify(
          isDiscovery
            ? {
                issuer,
                authorization_endpoint: `${issuer}/authorize`,
                token_endpoint: tokenEndpoint || `${issuer}/token`,
                jwks_uri: `${issuer}/keys`,
              }
            : { error: 'server_error', error_description: `${'x'.repeat(280)}${clientSecret}` },
        ),
      );
    });
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
    const { port } = hostile.address() as AddressInfo;
    const values = { issuer: `http://127.0.0.1:${String(port)}`, clientId: 'voucherd', clientSecret };
    const testIt = () => api.admin.post('/identity-provider/test', values);
    try {
      const repeated = await testIt();
      expect(repeated.body).toMatchObject({ steps: [{ outcome: 'ok' }, { outcome: 'unknown' }] });
      expect(repeated.text).toContain('xxx');
      expect(repeated.text).not.toContain('Zwiebel');
      for (const address of ['http://169.254.169.254/latest', 'http://[fe80::1]/', 'http://0.0.0.0/']) {
        tokenEndpoint = address;
        const { steps } = (await testIt()).body as { steps: { outcome: string; detail: string }[] };
        expect(steps[1]).toMatchObject({ outcome: 'unknown' });
        expect(steps[1]!.detail).toContain(new URL(address).hostname.replace(/[[\]]/g, ''));
      }
    } finally {
      hostile.close();
    }
  });

  test('what is not valid is refused', async () => {
    const cases: [string, object, number, string][] = [
      ['no https address', { issuer: 'http://id.example.org' }, 400, 'single-sign-on-issuer-invalid'],
      ['no address', { issuer: 'id' }, 400, 'single-sign-on-issuer-invalid'],
      [
        'an address with a password',
        { issuer: 'https://u:p@id.example.org' },
        400,
        'single-sign-on-issuer-invalid',
      ],
      [
        'where clouds hand out credentials',
        { issuer: 'https://169.254.169.254' },
        409,
        'server-address-refused',
      ],
      ['of 64 KiB', { issuer: `https://${'x'.repeat(9000)}` }, 400, 'issuer-invalid'],
      ['no client id', { clientId: '' }, 400, 'client-id-invalid'],
      ['domains without their proof', { emailDomains: 'example.org' }, 400, 'single-sign-on-domains-unused'],
      ['a proof without domains', { emailProof: 'domain' }, 400, 'single-sign-on-domains-invalid'],
      ['an unknown proof', { emailProof: 'trust' }, 400, 'email-proof-invalid'],
    ];
    for (const [name, change, status, message] of cases) {
      const body = { ...complete(), ...change };
      for (const answer of [
        await api.admin.put('/identity-provider', body),
        await api.admin.post('/identity-provider/test', body),
      ])
        expect({ name, ...answer }).toMatchObject({ name, status, body: { message } });
      expect((await api.admin.get('/identity-provider')).body).toMatchObject({ issuer: null });
    }
  });
});

describe('what the environment sets of the provider', () => {
  const api = withAdmin({
    beforeStart: () => {
      const { OIDC_ISSUER, OIDC_CLIENT_ID } = settingsFor(provider());
      return { env: { OIDC_ISSUER, OIDC_CLIENT_ID } };
    },
  });

  test('wins part by part, and is shown as fixed', async () => {
    expect((await api.admin.get('/identity-provider')).body).toMatchObject({
      ...settings(),
      fixed: [
        { part: 'issuer', variable: 'OIDC_ISSUER' },
        { part: 'clientId', variable: 'OIDC_CLIENT_ID' },
      ],
      fault: 'client-missing',
    });
    expect(await api.admin.put('/identity-provider', { ...complete(), clientId: 'other' })).toMatchObject({
      status: 409,
      body: { message: 'setting-fixed' },
    });
    expect((await api.admin.put('/identity-provider', complete())).body).toMatchObject({ fault: null });
    expect((await makeBrowser(api).get('/start')).body).toMatchObject({ singleSignOn: 'Firma' });
  });
});

describe.each([
  [{ OIDC_ISSUER: 'https://id.example.org' }, 'client-missing', ['OIDC_ISSUER']],
  [{ OIDC_EMAIL_PROOF: 'domain' }, 'issuer-missing', ['OIDC_EMAIL_PROOF', 'OIDC_EMAIL_DOMAINS']],
])('with %j alone', (env, fault, variables) => {
  const api = withAdmin({ env });

  test('the start says that nobody can sign in there', () => {
    const line = api.lines.find((one) => one.includes('its settings are not complete')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 40, fault, variables });
  });
});
