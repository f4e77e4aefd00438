import { beforeAll, expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { plantSecrets, randomSecret } from '../support/secretLeaks.js';
import { makeBrowser, type Browser } from '../support/web.js';

const secret = randomSecret();
plantSecrets([secret]);
const api = withAdmin();

interface Setting {
  readonly path: string;
  /** Without anything that was set. */
  readonly standard: object;
  readonly change: object;
  /** What is shown then; what was sent, unless it is said. */
  readonly shown?: object;
  readonly refused: readonly (readonly [object, string])[];
  /** What the audit log tells, of those changes that it has. */
  readonly audit?: { readonly action: string; readonly detail: object };
  /** Sent to have the standard again; without it the setting is deleted. */
  readonly reset?: object;
}

const mailServer = {
  host: '127.0.0.1',
  port: 25,
  security: 'starttls',
  user: 'wifi',
  from: 'wifi@example.org',
};
const sms = {
  ...{ kind: 'twilio', url: 'https://api.twilio.com', user: `AC${'1'.repeat(32)}`, from: '+15005550006' },
  ...{ method: 'POST', format: 'json', countryCode: '49', allowedCodes: ['49'], maxPerDay: 200 },
};
const identityProvider = { issuer: 'https://id.example.org', clientId: 'voucherd', name: 'Firma' };

const settings: readonly Setting[] = [
  {
    path: '/sign-in-rules',
    standard: { secondFactorRoles: [] },
    change: { secondFactorRoles: ['staff'] },
    refused: [
      [{ secondFactorRoles: ['owner'] }, 'request-invalid'],
      [{}, 'request-invalid'],
    ],
    reset: { secondFactorRoles: [] },
  },
  {
    path: '/mail-server',
    standard: { host: null, port: null, hasPassword: false, isComplete: false },
    change: { ...mailServer, password: secret },
    shown: { ...mailServer, hasPassword: true, isComplete: true },
    refused: [
      [{ ...mailServer, port: 0 }, 'port-invalid'],
      [{ ...mailServer, host: 'mail server' }, 'host-invalid'],
    ],
    audit: { action: 'setting.mail', detail: { host: '127.0.0.1' } },
  },
  {
    path: '/sms-provider',
    standard: { kind: null, hasSecret: false, isComplete: false },
    change: { ...sms, secret },
    shown: { ...sms, hasSecret: true, isComplete: true },
    refused: [[{ ...sms, url: 'sms gateway' }, 'url-invalid']],
    audit: {
      action: 'setting.sms',
      detail: expect.objectContaining({ kind: 'twilio', host: 'api.twilio.com' }),
    },
  },
  {
    path: '/identity-provider',
    standard: { issuer: null, clientId: null, hasClientSecret: false, fault: 'issuer-missing' },
    change: { ...identityProvider, clientSecret: secret },
    shown: { ...identityProvider, hasClientSecret: true, fault: null },
    refused: [[{ ...identityProvider, issuer: 'http://id.example.org' }, 'single-sign-on-issuer-invalid']],
    audit: { action: 'setting.single-sign-on', detail: { host: 'id.example.org' } },
  },
  {
    path: '/branding',
    standard: { title: null, colour: null, logo: null, icon: null },
    change: { title: ' Hotel am See ', colour: '#7A1F3D' },
    shown: { title: 'Hotel am See', colour: '#7a1f3d' },
    refused: [
      [{ title: 'x'.repeat(41), colour: null }, 'name-invalid'],
      [{ title: null, colour: 'red' }, 'colour-invalid'],
    ],
    audit: { action: 'setting.branding', detail: { title: 'Hotel am See', colour: '#7a1f3d' } },
    reset: { title: null, colour: null },
  },
];

const read = async (path: string): Promise<unknown> => {
  const { status, body, text } = await admin.get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  expect(text).not.toContain(secret);
  return body;
};

let admin: Browser;
beforeAll(async () => {
  // Also after the restart.
  admin = makeBrowser(api, api.admin.cookie);
  for (const { path, standard } of settings)
    expect({ path, shown: await read(path) }).toEqual({ path, shown: expect.objectContaining(standard) });
});

test('what is changed is shown and recorded, and holds after a restart', async () => {
  for (const { path, change } of settings) {
    const { status } = await admin.put(path, change);
    expect({ path, isDone: status === 200 || status === 204 }).toEqual({ path, isDone: true });
  }
  const expectChanged = async (): Promise<void> => {
    for (const { path, change, shown = change } of settings)
      expect({ path, shown: await read(path) }).toEqual({ path, shown: expect.objectContaining(shown) });
  };
  await expectChanged();
  const { entries } = (await admin.get('/audit?area=setting')).body as { entries: object[] };
  for (const { audit } of settings)
    if (audit)
      expect(entries).toContainEqual(expect.objectContaining({ ...audit, actorName: 'Anna Berger' }));
  await api.restart();
  await expectChanged();
});

test('what is refused changes nothing', async () => {
  for (const { path, refused } of settings) {
    const before = await read(path);
    for (const [change, message] of refused) {
      const { status, body } = await admin.put(path, change);
      expect({ path, status, body }).toEqual({
        ...{ path, status: 400 },
        body: expect.objectContaining({ error: 'invalid_request', message }),
      });
    }
    expect({ path, shown: await read(path) }).toEqual({ path, shown: before });
  }
});

test('what is reset or removed has its standard again', async () => {
  for (const { path, standard, reset } of settings) {
    await (reset === undefined ? admin.delete(path) : admin.put(path, reset));
    expect({ path, shown: await read(path) }).toEqual({ path, shown: expect.objectContaining(standard) });
  }
});
