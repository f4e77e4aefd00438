import { expect, test } from '@jest/globals';
import { withAdmin } from '../support/api.js';
import { plantSecrets, randomSecret } from '../support/secretLeaks.js';
import { sharedCertificate } from '../support/certificate.js';
import type { Answer } from '../support/service.js';

const password = randomSecret();
plantSecrets([password]);
const api = withAdmin({ perTest: 'service' });

const credentials = { username: 'radius', password };
const radius = {
  ...{ name: 'Funknetz', kind: 'radius-sql', url: 'postgresql://127.0.0.1:9/radius', credentials },
};
const router = { name: 'Router', kind: 'mikrotik', url: 'https://127.0.0.1:9', credentials };

const idOf = ({ body }: Answer): string => String((body as { id: number }).id);
const settings = async () => (await api.tables.controllers.all())[0]?.settings;
const lastTrust = async () =>
  (await api.tables.auditLog.newest({}, undefined, 20)).find(({ action }) => action.startsWith('controller.'))
    ?.detail.trust;

test('a database is reached without encryption unless it is asked for, and that is what is said of it', async () => {
  const added = await api.admin.post('/controllers', radius);
  expect(added).toMatchObject({
    status: 201,
    body: { trust: 'none', options: { tls: 'off', hasRates: true, disconnectPort: 3799 } },
  });
  expect(await lastTrust()).toBe('none');
});

test('encryption, rates and the port for disconnecting are stored as they are given', async () => {
  const options = { tls: 'system', hasRates: false, disconnectPort: 1700 };
  const added = await api.admin.post('/controllers', { ...radius, options });
  expect(added).toMatchObject({ status: 201, body: { trust: 'system', options } });
  expect(await settings()).toEqual({ url: radius.url, tls: 'system', rates: 'no', disconnectPort: 1700 });
  expect(await lastTrust()).toBe('system');
  const path = `/controllers/${idOf(added)}`;
  expect(await api.admin.patch(path, { options: { hasRates: true } })).toMatchObject({
    status: 200,
    body: { trust: 'system', options: { tls: 'system', hasRates: true, disconnectPort: 1700 } },
  });
});

test('a database with a CA of its own is encrypted, and without the CA it is what was chosen', async () => {
  const path = `/controllers/${idOf(await api.admin.post('/controllers', radius))}`;
  const { cert } = await sharedCertificate();
  expect(await api.admin.patch(path, { caCertificates: cert })).toMatchObject({
    status: 200,
    body: { trust: 'own-ca' },
  });
  expect(await lastTrust()).toBe('own CA');
  expect(
    await api.admin.patch(path, { caCertificates: null, options: { tls: 'off' }, credentials }),
  ).toMatchObject({ status: 200, body: { trust: 'none' } });
});

test('User Manager can be switched off for a router', async () => {
  const added = await api.admin.post('/controllers', { ...router, options: { usesUserManager: false } });
  expect(added).toMatchObject({
    status: 201,
    body: { trust: 'system', options: { usesUserManager: false } },
  });
  expect(await settings()).toEqual({ url: router.url, userManager: 'no' });
});

test('options that a kind does not have are refused, and nothing is stored', async () => {
  const cases: [string, object, string][] = [
    ['User Manager for a database', { ...radius, options: { usesUserManager: true } }, 'settings-invalid'],
    ['rates for a router', { ...router, options: { hasRates: true } }, 'settings-invalid'],
    ['encryption for a router', { ...router, options: { tls: 'off' } }, 'settings-invalid'],
    ['another encryption', { ...radius, options: { tls: 'maybe' } }, 'settings-invalid'],
    ['a port that is none', { ...radius, options: { disconnectPort: 70_000 } }, 'port-invalid'],
    ['a fingerprint for a database', { ...radius, fingerprint: 'AB'.repeat(32) }, 'trust-conflict'],
    [
      'options for a simulated one',
      { name: 'x', kind: 'simulated', options: { hasRates: true } },
      'settings-invalid',
    ],
  ];
  for (const [name, values, message] of cases) {
    const answer = await api.admin.post('/controllers', values);
    expect({ name, ...answer }).toMatchObject({ name, status: 400, body: { message } });
    expect(await settings()).toBeUndefined();
  }
});
