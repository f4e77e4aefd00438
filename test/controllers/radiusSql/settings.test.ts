import { expect, test } from '@jest/globals';
import { testCases } from '../../support/cases.js';
import { sharedCertificate } from '../../support/certificate.js';
import { parseRadiusSettings } from '../../../src/controllers/radiusSql/settings.js';

const url = 'postgresql://192.168.1.5/radius';

testCases([
  ['postgresql://db/radius', { dialect: 'postgresql', host: 'db', port: 5432, database: 'radius' }],
  ['postgres://db:5433/a%20b', { dialect: 'postgresql', port: 5433, database: 'a b' }],
  ['mysql://[2001:db8::7]/radius', { dialect: 'mysql', host: '2001:db8::7', port: 3306 }],
  ['mariadb://db/radius', { dialect: 'mysql', port: 3306 }],
])('addresses of databases are taken', (address, values) =>
  expect(parseRadiusSettings({ url: address })).toMatchObject({
    ...{ tls: 'off', hasRates: true, disconnectPort: 3799 },
    ...values,
  }),
);

testCases([
  ['sqlite:/var/lib/radius.db', 'SQLite is not supported'],
  ['file:///var/lib/radius.db', 'SQLite is not supported'],
  ['https://db/radius', 'not allowed'],
  ['postgresql://user@db/radius', 'not allowed'],
  ['postgresql://user:secret@db/radius', 'not allowed'],
  ['postgresql://db/radius?ssl=0', 'not allowed'],
  ['postgresql://db/', 'not allowed'],
  ['postgresql://db/a/b', 'not allowed'],
  ['postgresql://db/a%2Fb', 'not allowed'],
  ['postgresql://db/%zz', 'not allowed'],
  ['postgresql:///radius', 'not allowed'],
  ['radius', 'not allowed'],
  [undefined, 'not allowed'],
  [7, 'not allowed'],
])('any other address is refused', (address, says) =>
  expect(() => parseRadiusSettings({ url: address })).toThrow(
    expect.objectContaining({ name: 'SettingsError', code: 'url', detail: expect.stringContaining(says) }),
  ),
);

testCases([
  [{ tls: 'system' }, { tls: 'system', ca: undefined }],
  [{ rates: 'no' }, { hasRates: false }],
  [{ disconnectPort: 1700 }, { disconnectPort: 1700 }],
])('settings are taken', (settings, values) =>
  expect(parseRadiusSettings({ url, ...settings })).toMatchObject(values),
);

test('with a CA the connection is encrypted, and nothing else is trusted', async () => {
  const { cert: ca } = await sharedCertificate();
  for (const settings of [{ ca }, { ca, tls: 'off' }, { ca, tls: 'system' }])
    expect(parseRadiusSettings({ url, ...settings })).toMatchObject({ tls: 'ca', ca });
});

testCases([
  [{ ca: '' }, 'ca-file'],
  [{ ca: 'PEM' }, 'ca-file'],
  [{ ca: 7 }, 'ca-file'],
  [{ tls: 'maybe' }, 'tls'],
  // That is said by the CA itself.
  [{ tls: 'ca' }, 'tls'],
  [{ rates: 'some' }, 'rates'],
  [{ disconnectPort: 0 }, 'disconnect-port'],
  [{ disconnectPort: 65_536 }, 'disconnect-port'],
  [{ disconnectPort: '3799' }, 'disconnect-port'],
  [{ fingerprint: 'ab' }, 'trust'],
])('others are refused by their names', (settings, code) =>
  expect(() => parseRadiusSettings({ url, ...settings })).toThrow(
    expect.objectContaining({ name: 'SettingsError', code }),
  ),
);
