import { expect, test } from '@jest/globals';
import { makeCertificate } from '../../../simulators/certificate.js';
import { parseConnectionSettings } from '../../../src/controllers/https/settings.js';
import { testCases } from '../../support/cases.js';

const url = 'https://192.168.1.1';
const digits = 'ab'.repeat(32);

test('only the address is needed', () => {
  expect(parseConnectionSettings({ url })).toEqual({
    url,
    fingerprint: undefined,
    ca: undefined,
    maxCalls: 4,
  });
});

testCases([
  ['https://192.168.1.1/', 'https://192.168.1.1'],
  ['https://unifi.example.org:8443', 'https://unifi.example.org:8443'],
  ['https://[::1]:8443', 'https://[::1]:8443'],
  ['https://api.ui.com/v1/connector/consoles/AB:12/', 'https://api.ui.com/v1/connector/consoles/AB:12'],
])('an https address is taken', (given, taken) => {
  expect(parseConnectionSettings({ url: given }).url).toBe(taken);
});

testCases([undefined, 5, '', '192.168.1.1', 'http://192.168.1.1', 'https://x/?a=1', 'https://x/#a'])(
  'any other address is refused',
  (given) => {
    expect(() => parseConnectionSettings({ url: given })).toThrow(
      /^url: .* is not allowed: an https address/,
    );
  },
);

test('an address with a password is refused, and the password not repeated', () => {
  expect(() => parseConnectionSettings({ url: 'https://admin:geheim@192.168.1.1' })).toThrow(
    /^url: … is not allowed/,
  );
});

test('a fingerprint is taken with and without colons, in either case', () => {
  const colons = Array(32).fill('AB').join(':');
  for (const fingerprint of [digits, digits.toUpperCase(), colons, ` ${colons.toLowerCase()}\n`])
    expect(parseConnectionSettings({ url, fingerprint }).fingerprint).toBe(colons);
});

testCases(['', 'ab', digits.slice(1), `${digits}ab`, digits.replace('a', 'g'), 7])(
  'any other fingerprint is refused',
  (fingerprint) => {
    expect(() => parseConnectionSettings({ url, fingerprint })).toThrow(
      /^fingerprint: .* is not allowed: SHA-256/,
    );
  },
);

test('a certificate is taken, and nothing else for one', async () => {
  const { cert } = await makeCertificate('unifi.local');
  expect(parseConnectionSettings({ url, ca: cert }).ca).toBe(cert);
  expect(() => parseConnectionSettings({ url, ca: 'no PEM' })).toThrow(
    'ca-file: holds no certificate in PEM',
  );
  expect(() => parseConnectionSettings({ url, ca: cert, fingerprint: digits })).toThrow('exclude each other');
});

testCases([0, 65, 1.5, '4', null])('any other max-calls is refused', (maxCalls) => {
  expect(() => parseConnectionSettings({ url, maxCalls })).toThrow(
    `max-calls: ${String(maxCalls)} is not allowed: a whole number from 1 to 64`,
  );
});

testCases([
  ['url', {}],
  ['fingerprint', { url, fingerprint: 'ab' }],
  ['trust', { url, fingerprint: digits, ca: 'PEM' }],
  ['max-calls', { url, maxCalls: 0 }],
])('a refusal names its setting', (code, settings) => {
  expect(() => parseConnectionSettings(settings)).toThrow(expect.objectContaining({ code }));
});
