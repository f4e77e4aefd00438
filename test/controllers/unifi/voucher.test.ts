import { expect, test } from '@jest/globals';
import { parseIntegrationVoucher } from '../../../src/controllers/unifi/voucher.js';

test.each([
  ['+275760-09-13T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
  ['-271821-04-20T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  ['2026-11-14T09:30:00Z', '2026-11-14T09:30:00.000Z'],
])('a voucher has times that can be stored and said, whatever the controller says (%s)', (time, said) => {
  const { createdAt, expiresAt } = parseIntegrationVoucher({ id: 'a', createdAt: time, expiresAt: time })!;
  for (const ms of [createdAt, expiresAt]) expect(new Date(ms!).toISOString()).toBe(said);
});

test.each(['+999999-01-01T00:00:00.000Z', 'soon', 1e300, null])(
  'an expiry that is none is not known: %p',
  (time) => {
    expect(parseIntegrationVoucher({ id: 'a', expiresAt: time })).toMatchObject({
      createdAt: 0,
      expiresAt: null,
    });
  },
);
