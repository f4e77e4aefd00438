import { expect, test } from '@jest/globals';
import { buildStoredName, formatCode } from '../../src/vouchers/record.js';
import { runScript } from '../support/built.js';

test.each([
  ['1234567890', '12345-67890'],
  ['0000000001', '00000-00001'],
  ['12345', '12345'],
  ['123456', '12345-6'],
  ['123456789012', '12345-67890-12'],
  ['1', '1'],
])(
  'the formatted code of %s is %s: blocks of five joined by a dash [createVoucher-formatted-code]',
  (code, formatted) => {
    expect(formatCode(code)).toBe(formatted);
  },
);

/** What a server in this zone calls a voucher that is created at this instant. */
const namedIn = (zone: string, instant: string): Promise<string> =>
  runScript(
    `import { buildStoredName } from './dist/src/vouchers/record.js';
     process.stdout.write(buildStoredName('Berger', Date.parse('${instant}')));`,
    { TZ: zone },
  );

test.each([
  ['UTC', '2026-11-14T23:59:59.999Z', '2026-11-14_Berger'],
  ['UTC', '2026-11-15T00:00:00.000Z', '2026-11-15_Berger'],
  ['Europe/Berlin', '2026-11-14T22:59:59.999Z', '2026-11-14_Berger'],
  ['Europe/Berlin', '2026-11-14T23:00:00.000Z', '2026-11-15_Berger'],
  ['America/Los_Angeles', '2027-01-01T07:59:59.999Z', '2026-12-31_Berger'],
  ['Pacific/Kiritimati', '2026-12-31T10:00:00.000Z', '2027-01-01_Berger'],
])(
  "the date in voucher_name is the server's local date: in %s at %s it is %s [voucher-date-by-time-zone]",
  async (zone, instant, name) => {
    expect(await namedIn(zone, instant)).toBe(name);
  },
);

test('month and day have two digits and the year has four', () => {
  expect(buildStoredName('x', new Date(2027, 0, 2, 12).getTime())).toBe('2027-01-02_x');
});
