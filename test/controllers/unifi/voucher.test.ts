import { expect } from '@jest/globals';
import { parseIntegrationVoucher } from '../../../src/controllers/unifi/voucher.js';
import { parseClassicVoucher } from '../../../src/controllers/unifiClassic/voucher.js';
import { testCases } from '../../support/cases.js';

testCases([
  ['+275760-09-13T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
  ['-271821-04-20T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  ['2026-11-14T09:30:00Z', '2026-11-14T09:30:00.000Z'],
])('a voucher has times that can be stored and said, whatever the controller says', (time, said) => {
  const { createdAt, expiresAt } = parseIntegrationVoucher({ id: 'a', createdAt: time, expiresAt: time })!;
  for (const ms of [createdAt, expiresAt]) expect(new Date(ms!).toISOString()).toBe(said);
});

testCases(['+999999-01-01T00:00:00.000Z', 'soon', 1e300, null])(
  'an expiry that is none is not known',
  (time) => {
    expect(parseIntegrationVoucher({ id: 'a', expiresAt: time })).toMatchObject({
      createdAt: 0,
      expiresAt: null,
    });
  },
);

testCases<[string, unknown]>([
  ['64 KiB', '1'.repeat(65_536)],
  ['an object', { code: '1234567890' }],
  ['a list', ['1234567890']],
  ['a number with a fraction', 1.5],
  ['a line break', '12345\n67890'],
])('a code that is no text of ours is none, so the voucher is not usable', (_, code) => {
  expect(parseIntegrationVoucher({ id: 'a', code })).toMatchObject({ id: 'a', code: undefined });
  expect(parseIntegrationVoucher({ id: 'x'.repeat(65_536), code })).toBeUndefined();
  expect(parseClassicVoucher({ _id: 'a', code }, 0)).toMatchObject({ id: 'a', code: undefined });
});
