import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { nodeSystem } from '../../../src/lib/system.js';
import type { WebhookMessage } from '../../../src/webhooks/formats/format.js';
import {
  generateSigningSecret,
  generic,
  isValidSigningSecret,
  signMessage,
} from '../../../src/webhooks/formats/generic.js';
import { formatConformance, now, someAnswer, someEvent, someSecret } from '../../conformance/format.js';
import { answered } from '../../support/deliveryReasons.js';

interface Body {
  type: string;
  data: { count: number; site: string; source: string };
}

const titles = { one: 'voucher.created × 1', three: 'voucher.created × 3', test: 'webhook.test × 1' };

formatConformance({
  format: generic,
  exact: true,
  titles: { de: titles, en: titles, es: titles, fr: titles, it: titles, nl: titles },
  read: (body) => {
    const { type, data } = JSON.parse(body) as Body;
    return { title: `${type} × ${data.count}`, site: data.site, source: data.source, markup: [] };
  },
  checkSize: (body) => expect(Buffer.byteLength(body)).toBeLessThan(20_000),
  failures: [410],
});

const compose = (secrets: readonly string[], at = now): WebhookMessage =>
  generic.compose(someEvent(), { language: 'de', secrets, now: at });

test('a message as it is sent', () => {
  const { headers, body } = compose([someSecret]);
  expect(body).toBe(
    '{"type":"voucher.created","timestamp":"2026-11-14T09:30:00.000Z","data":{"count":1,"site":"Hauptgebäude","source":"API: Buchungssystem"}}',
  );
  expect(headers).toEqual({
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': 'msg_00112233445566778899aabbccddeeff',
    'webhook-timestamp': '1794648605',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  });
});

test('a further attempt has the same id and body, and the time of that attempt', () => {
  const [first, second] = [compose([someSecret]), compose([someSecret], now + 5000)];
  expect(second.body).toBe(first.body);
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(second.headers['webhook-timestamp']).toBe('1794648610');
});

test('410: the webhook is switched off', () => {
  expect(generic.judge(someAnswer({ status: 410 }))).toEqual({
    outcome: 'failed',
    reason: answered(410),
    switchOff: true,
  });
});

describe('the signature', () => {
  // The public package compares the time of the try with the clock.
  beforeAll(() => {
    jest.useFakeTimers({ now });
  });
  afterAll(() => {
    jest.useRealTimers();
  });
  const other = generateSigningSecret(nodeSystem);
  const verify = (secret: string, { headers, body }: WebhookMessage): unknown =>
    new Webhook(secret).verify(body, { ...headers });

  test('is that of the published test vector', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signature = signMessage(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}');
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test('verifies with the public package', () => {
    const message = compose([someSecret]);
    expect(verify(someSecret, message)).toEqual(JSON.parse(message.body));
  });

  test('verifies with either secret during a rotation', () => {
    const message = compose([other, someSecret]);
    expect(message.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const secret of [other, someSecret]) {
      expect(verify(secret, message)).toEqual(JSON.parse(message.body));
    }
  });

  test('does not verify with an unknown secret, nor for another body, id or time', () => {
    const message = compose([someSecret]);
    const { headers } = message;
    const changed: WebhookMessage[] = [
      { ...message, body: message.body.replace('1', '2') },
      { ...message, headers: { ...headers, 'webhook-id': 'msg_other' } },
      { ...message, headers: { ...headers, 'webhook-timestamp': '1794648606' } },
    ];
    expect(() => verify(other, message)).toThrow('No matching signature found');
    for (const one of changed) expect(() => verify(someSecret, one)).toThrow('No matching signature found');
  });
});

describe('a secret', () => {
  test('is made of 32 random bytes', () => {
    const randomBytes = (size: number) => Buffer.alloc(size, 7);
    expect(generateSigningSecret({ ...nodeSystem, randomBytes })).toBe(someSecret);
    expect(generateSigningSecret(nodeSystem)).not.toBe(generateSigningSecret(nodeSystem));
  });

  test('has 24 to 64 bytes', () => {
    const valid = [24, 32, 64].map((size) => `whsec_${Buffer.alloc(size, 255).toString('base64')}`);
    const invalid = [
      `whsec_${Buffer.alloc(23).toString('base64')}`,
      `whsec_${Buffer.alloc(65).toString('base64')}`,
      Buffer.alloc(32).toString('base64'),
      `whsec_${Buffer.alloc(32, 255).toString('base64url')}`,
      `whsec_ ${Buffer.alloc(32).toString('base64')}`,
      `whpk_${Buffer.alloc(32).toString('base64')}`,
      'whsec_',
      '',
    ];
    expect(valid.filter((text) => !isValidSigningSecret(text))).toEqual([]);
    expect(invalid.filter(isValidSigningSecret)).toEqual([]);
  });
});
