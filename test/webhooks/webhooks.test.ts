import { describe, expect, test } from '@jest/globals';
import { nodeSystem } from '../../src/lib/system.js';
import { formatNames } from '../../src/webhooks/formats/format.js';
import {
  activeSigningSecrets,
  addSigningSecret,
  maskWebhookAddress,
  openWebhook,
  redactWebhookSecrets,
  sealSigningSecrets,
  sealWebhook,
  WebhookError,
  type Webhook,
  type WebhookInput,
} from '../../src/webhooks/webhooks.js';
import { makeSecrets, SecretError, webhookBinding, type Sealed } from '../../src/secrets/encryption.js';
import type { StoredWebhook } from '../../src/webhooks/webhookTable.js';

const secrets = makeSecrets(Buffer.alloc(32, 1), nodeSystem);
const address = 'https://hooks.example.org/services/T0/B0/geheimAb3x';
const order: WebhookInput = {
  name: 'Empfang',
  format: 'generic',
  language: 'de',
  address,
  secret: 'whsec_a',
};
const now = 1_000_000;

const id = 3;
const sealed = (part: 'address' | 'secrets', text: string): string =>
  secrets.seal(text, webhookBinding(id, part));

const stored = (given: Partial<WebhookInput> = {}, values: Partial<StoredWebhook> = {}): StoredWebhook => {
  const { address: _address, secret: _secret, ...plain } = { ...order, ...given };
  const { sealedAddress, sealedSecrets } = sealWebhook({ ...order, ...given }, secrets, now);
  const sealedFor = (value: Sealed | null): string | null =>
    typeof value === 'function' ? value(id) : value;
  return {
    reportsControllers: false,
    ...plain,
    sealedAddress: sealedFor(sealedAddress) ?? '',
    sealedSecrets: sealedFor(sealedSecrets),
    createdAt: now,
    id,
    active: true,
    reason: null,
    ...values,
  };
};

describe('a stored webhook', () => {
  test('opens as it was added', () => {
    expect(openWebhook(stored(), secrets)).toEqual({
      id: 3,
      name: 'Empfang',
      format: 'generic',
      language: 'de',
      address,
      secrets: [{ secret: 'whsec_a', until: null }],
      active: true,
      reason: null,
    });
  });

  test.each(formatNames.filter((name) => name !== 'generic'))('of the format %s has no secret', (format) => {
    const row = stored({ format, secret: undefined });
    expect(row.sealedSecrets).toBeNull();
    expect(openWebhook(row, secrets)).toMatchObject({ format, secrets: [] });
  });

  test('shows neither address nor secret', () => {
    expect(JSON.stringify(stored())).not.toMatch(/hooks\.example|geheim|whsec_/);
  });

  const formats = 'generic, slack, mattermost, discord, teams, google-chat, php-tool';
  test.each([
    ['format', { format: 'fax' }, `its format "fax" is not one of ${formats}`],
    ['language', { language: 'pl' }, 'its language "pl" is not one of de, en, es, fr, it, nl'],
    ['address', { sealedAddress: sealed('address', 'geheim') }, 'its address is not a valid URL'],
    ['secrets', { sealedSecrets: sealed('secrets', 'geheim') }, 'it has nothing to sign with'],
    [
      'secrets',
      { sealedSecrets: sealed('secrets', '[{"secret":1,"until":null}]') },
      'it has nothing to sign with',
    ],
    ['secrets', { sealedSecrets: sealed('secrets', '[]') }, 'it has nothing to sign with'],
    ['secrets', { sealedSecrets: null }, 'it has nothing to sign with'],
  ])('with a %s that this program does not know is refused by its name: %#', (_, values, why) => {
    const opening = (): Webhook => openWebhook(stored({}, values), secrets);
    expect(opening).toThrow(WebhookError);
    expect(opening).toThrow(`webhook "Empfang" can not be used: ${why}`);
  });

  test('that was sealed with another key is refused', () => {
    expect(() => openWebhook(stored(), makeSecrets(Buffer.alloc(32), nodeSystem))).toThrow(SecretError);
  });
});

describe('a rotation', () => {
  const webhook = openWebhook(stored(), secrets);
  const rotated = addSigningSecret(webhook, 'whsec_b', now, 5000);

  test('lets the new secret sign first and the old one until the overlap ends', () => {
    expect(activeSigningSecrets(webhook, now)).toEqual(['whsec_a']);
    expect(activeSigningSecrets(rotated, now)).toEqual(['whsec_b', 'whsec_a']);
    expect(activeSigningSecrets(rotated, now + 4999)).toEqual(['whsec_b', 'whsec_a']);
    expect(activeSigningSecrets(rotated, now + 5000)).toEqual(['whsec_b']);
  });

  test('can be stored', () => {
    const row = stored({}, { sealedSecrets: sealSigningSecrets(id, rotated.secrets, secrets) });
    expect(openWebhook(row, secrets)).toEqual(rotated);
  });

  test('without an overlap forgets every old secret at once', () => {
    expect(addSigningSecret(rotated, 'whsec_c', now + 1, 0).secrets).toEqual([
      { secret: 'whsec_c', until: null },
    ]);
  });

  test('during another one does not prolong the oldest secret', () => {
    const twice = addSigningSecret(rotated, 'whsec_c', now + 1000, 9000);
    expect(activeSigningSecrets(twice, now + 1000)).toEqual(['whsec_c', 'whsec_b', 'whsec_a']);
    expect(activeSigningSecrets(twice, now + 5000)).toEqual(['whsec_c', 'whsec_b']);
  });
});

describe('a masked address', () => {
  test.each([
    ['https://hooks.slack.com/services/T000/B000/XyzAb3x', 'https://hooks.slack.com/…Ab3x'],
    ['http://10.0.0.1:8065/hooks/0123456789', 'http://10.0.0.1:8065/…6789'],
    ['https://chat.example.org/v1?key=aaaa&token=bbbbcccc', 'https://chat.example.org/…cccc'],
    ['https://[::1]:8443/hooks/0123456789#part', 'https://[::1]:8443/…6789'],
  ])('of %s is %s', (whole, masked) => {
    expect(maskWebhookAddress(whole)).toBe(masked);
  });

  test.each(['https://example.org/', 'https://example.org/hook', 'https://example.org/?k=geheim'])(
    'of the short %s shows no end, which would be most of it',
    (whole) => {
      expect(maskWebhookAddress(whole)).toBe('https://example.org/…');
    },
  );
});

test.each([
  [`no such page: ${address}`, 'no such page: …'],
  ['Cannot POST /services/T0/B0/geheimAb3x', 'Cannot POST …'],
  ['token "geheimAb3x" is unknown', 'token "…" is unknown'],
  ['signed with whsec_bGFuZ2VzIEdlaGVpbW5pcw==', 'signed with …'],
  ['ok', 'ok'],
])('what a target repeats of an address or a secret is concealed: %s', (text, shown) => {
  const webhook = { address, secrets: [{ secret: 'whsec_bGFuZ2VzIEdlaGVpbW5pcw==', until: null }] };
  expect(redactWebhookSecrets(text, webhook)).toBe(shown);
});
