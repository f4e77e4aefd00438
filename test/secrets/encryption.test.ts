import { describe, expect, test } from '@jest/globals';
import { nodeSystem } from '../../src/lib/system.js';
import {
  credentialsBinding,
  makeSecrets,
  SecretError,
  webhookBinding,
  wifiBinding,
} from '../../src/secrets/encryption.js';
import { testCases } from '../support/cases.js';

const key = Buffer.alloc(32, 1);
const secrets = makeSecrets(key, nodeSystem);
const text = 'https://hooks.example.org/services/geheim';
const here = webhookBinding(1, 'address');

describe('what is sealed', () => {
  testCases(['', text, 'Grüße 😀', '\u0000', 'x'.repeat(100_000)])('what is sealed opens again', (one) => {
    expect(secrets.open(secrets.seal(one, here), here)).toBe(one);
  });

  test('shows nothing of it', () => {
    const sealed = secrets.seal(text, here);
    expect(sealed).not.toContain('geheim');
    expect(Buffer.from(sealed.slice(3), 'base64').toString('latin1')).not.toContain('geheim');
  });

  test('is different each time, so that equal secrets cannot be recognised', () => {
    expect(secrets.seal(text, here)).not.toBe(secrets.seal(text, here));
  });

  test('does not open with another key, and the message does not repeat it', () => {
    const other = makeSecrets(Buffer.alloc(32, 2), nodeSystem);
    const opening = (): string => other.open(secrets.seal(text, here), here);
    expect(opening).toThrow(SecretError);
    expect(opening).toThrow(
      'a stored secret can not be opened: SECRET_KEY is not the one it was sealed with, or it was sealed for another address or row',
    );
  });

  test('does not open when anything of it was changed', () => {
    const sealed = Buffer.from(secrets.seal(text, here).slice(3), 'base64');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = changed[index]! ^ 1;
      expect(() => secrets.open(`v2:${changed.toString('base64')}`, here)).toThrow(SecretError);
    }
  });

  testCases(['', 'v2:', 'v2:AAAA', 'v1:', 'v3:AAAA', text])('nonsense does not open', (nothing) => {
    expect(() => secrets.open(nothing, here)).toThrow(SecretError);
  });

  testCases([
    ['another row', webhookBinding(2, 'address')],
    ['another column', webhookBinding(1, 'secrets')],
    ['another table', credentialsBinding({ id: 1, kind: 'unifi', settings: {} })],
    ['a site', wifiBinding(1)],
  ])('does not open in another place', (_place, binding) => {
    const sealed = secrets.seal(text, here);
    expect(() => secrets.open(sealed, binding)).toThrow(SecretError);
  });
});

describe('credentials of a controller do not open', () => {
  const settings = { url: 'https://192.168.1.1', fingerprint: 'AA', maxCalls: 4 };
  const controller = { id: 1, kind: 'unifi', settings };
  const sealed = secrets.seal('{}', credentialsBinding(controller));
  const opening = (changed: object) => () =>
    secrets.open(sealed, credentialsBinding({ ...controller, ...changed }));

  testCases([
    ['another controller', { id: 2 }],
    ['another kind', { kind: 'unifi-classic' }],
    ['another address', { settings: { ...settings, url: 'https://192.168.1.2' } }],
    ['another certificate', { settings: { ...settings, fingerprint: 'BB' } }],
    ['another authority', { settings: { ...settings, ca: 'PEM' } }],
    ['any certificate', { settings: { url: settings.url } }],
  ])('for whom it was sealed only', (_whom, changed) => {
    expect(opening(changed)).toThrow(SecretError);
  });

  test('without the encryption that they were entered for', () => {
    const url = 'postgresql://192.168.1.5/radius';
    const bindingOf = (settings: object) =>
      credentialsBinding({ id: 1, kind: 'radius-sql', settings: { url, ...settings } });
    const encrypted = secrets.seal('{}', bindingOf({ tls: 'system' }));
    for (const settings of [{ tls: 'off' }, {}])
      expect(() => secrets.open(encrypted, bindingOf(settings))).toThrow(SecretError);
    expect(bindingOf({ tls: 'off' })).toBe(bindingOf({}));
  });

  test('but stay as they are when nothing changes whom they are sent to', () => {
    expect(opening({ name: 'Neu', settings: { ...settings, maxCalls: 8 } })()).toBe('{}');
  });
});
