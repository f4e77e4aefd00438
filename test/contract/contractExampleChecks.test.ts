import { expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { checkExamples } from '../../src/contract/mock/examples.js';
import { siteIdMessage, testRefused, written } from './refusedContracts.js';

test('an example of a header may have the characters of Latin-1', () => {
  const text = written.replace('example: 5f3c9a1e-2k', 'example: Anfrage fünf');
  expect(() => checkExamples(parseContract(text))).not.toThrow();
});

testRefused([
  [
    'an example of a header with a character outside Latin-1',
    'example: 5f3c9a1e-2k',
    'example: Anfrage №5',
    'GET /sites.php: 200: the example of X-Request-Id can not be sent: a header holds characters of Latin-1 on one line',
    /^Anfrage №5$/,
  ],
  [
    'an example of a header with a line break',
    'example: 5f3c9a1e-2k',
    'example: "a\\r\\nX-Other: b"',
    /^GET \/sites\.php: 200: the example of X-Request-Id can not be sent/,
    /^"a\\r/,
  ],
  [
    'a named example of a header that can not be sent',
    'example: 5f3c9a1e-2k',
    'examples: { first: { value: a }, second: { value: № } }',
    /the example of X-Request-Id can not be sent/,
    /^№ } }$/,
  ],
  [
    'a value of a header that can not be sent',
    'schema: { type: string, enum: [Bearer] }\n          example: Bearer',
    'schema: { type: string, enum: [№5] }',
    /^GET \/sites\.php: 401: the example of WWW-Authenticate can not be sent/,
    /^№5\] \}$/,
  ],
  [
    'an example of a header of the request that can not be sent',
    'example: \'"Vq3T5tq0b1xQw9Yd"\'',
    'example: "№5"',
    /^GET \/sites\.php: the example of If-None-Match can not be sent/,
    /^"№5"$/,
  ],
  [
    'a name of a header that is none',
    '            Idempotency-Replayed:',
    '            Idempotency Replayed:',
    'POST /vouchers.php: 201: "Idempotency Replayed" is no name of a header',
    /^Idempotency Replayed:$/,
  ],
  [
    'an example that does not fit',
    '- { id: 1, name: Hauptgebäude }',
    '- { id: one, name: Hauptgebäude }',
    /^GET \/sites\.php: 200: the example does not fit its schema: \/sites\/0\/id must be integer/,
    /^one, name/,
  ],
  [
    'an example without a field',
    '- { id: 1, name: Hauptgebäude }',
    '- { id: 1 }',
    /must have required property 'name'/,
    /^\{ id: 1 \}/,
  ],
  [
    'an example, behind a reference, that does not fit',
    'example: { error: rate_limited, message',
    'example: { error: too_many, message',
    /429: the example does not fit its schema: \/error must be equal to one of the allowed values/,
    /^too_many/,
  ],
  [
    'an example of a parameter that does not fit',
    `${siteIdMessage}          example: 1\n`,
    `${siteIdMessage}          example: first\n`,
    'GET /vouchers.php: the example of site_id does not fit its schema: must be integer',
    /^first$/,
  ],
  [
    'a default that its schema refuses',
    'default: 480',
    'default: 0',
    'POST /vouchers.php: the default of expire_minutes does not fit its schema: must be >= 1',
    /^0$/,
  ],
  [
    'a part of a default that its schema refuses',
    'default: { down: 0, up: 0, quota_mb: 0 }',
    'default: { down: 0, up: none, quota_mb: 0 }',
    'POST /vouchers.php: the default of qos does not fit its schema: /up must be integer',
    /^none, quota_mb/,
  ],
  [
    'a default of a parameter with a format that it does not have',
    `${siteIdMessage}          example: 1\n`,
    `${siteIdMessage}          example: 1\n        - { name: from, in: query, description: From, schema: { type: string, format: date, default: '2026-19-39' }, example: '2026-11-16' }\n`,
    'GET /vouchers.php: the default does not fit its schema: must match format "date"',
    /^'2026-19-39'/,
  ],
]);
