import { describe, expect, test } from '@jest/globals';
import { systemEffects } from '../src/effects.js';
import { makeSecrets, SecretError } from '../src/secrets.js';

const key = Buffer.alloc(32, 1);
const secrets = makeSecrets(key, systemEffects);
const text = 'https://hooks.slack.com/services/T0/B0/geheim';

describe('what was sealed', () => {
  test.each(['', text, 'Grüße 🔑', 'x'.repeat(10_000)])('opens as it was: %#', (one) => {
    expect(secrets.open(secrets.seal(one))).toBe(one);
  });

  test('shows nothing of what is in it', () => {
    const sealed = secrets.seal(text);
    expect(sealed).not.toContain('geheim');
    expect(Buffer.from(sealed.slice(3), 'base64').toString('latin1')).not.toContain('geheim');
  });

  test('is different each time, so that equal secrets can not be told', () => {
    expect(secrets.seal(text)).not.toBe(secrets.seal(text));
  });

  test('does not open with another key, and the refusal names SECRET_KEY alone', () => {
    const other = makeSecrets(Buffer.alloc(32, 2), systemEffects);
    const opening = (): string => other.open(secrets.seal(text));
    expect(opening).toThrow(SecretError);
    expect(opening).toThrow(
      'a stored secret can not be opened: SECRET_KEY is not the one it was sealed with',
    );
  });

  test('does not open when a single bit of it has changed', () => {
    const sealed = Buffer.from(secrets.seal(text).slice(3), 'base64');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => secrets.open(`v1:${changed.toString('base64')}`)).toThrow(SecretError);
    }
  });

  test.each(['', 'v1:', 'v1:AAAA', 'plain text'])('"%s" is nothing that was sealed', (nothing) => {
    expect(() => secrets.open(nothing)).toThrow(SecretError);
  });
});
