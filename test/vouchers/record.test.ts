import { expect, test } from '@jest/globals';
import { buildStoredName, formatCode } from '../../src/vouchers/record.js';
import { runScript } from '../support/built.js';
import { testCases } from '../support/cases.js';

testCases([
  ['1234567890', '12345-67890'],
  ['0000000001', '00000-00001'],
  ['12345', '12345'],
  ['123456', '12345-6'],
  ['123456789012', '12345-67890-12'],
  ['1', '1'],
])(
  'the formatted code is the code in blocks of five joined by a dash [createVoucher-formatted-code]',
  (code, formatted) => {
    expect(formatCode(code)).toBe(formatted);
  },
);

/** What a server in this zone calls vouchers that are created at these instants. */
const namedIn = (zone: string, instants: readonly string[]): Promise<string> =>
  runScript(
    `import { buildStoredName } from './dist/src/vouchers/record.js';
     const names = ${JSON.stringify(instants)}.map((one) => buildStoredName('Berger', Date.parse(one)));
     process.stdout.write(names.join(' '));`,
    { TZ: zone },
  );

testCases([
  ['UTC', ['2026-11-14T23:59:59.999Z', '2026-11-15T00:00:00.000Z'], '2026-11-14_Berger 2026-11-15_Berger'],
  [
    'Europe/Berlin',
    ['2026-11-14T22:59:59.999Z', '2026-11-14T23:00:00.000Z'],
    '2026-11-14_Berger 2026-11-15_Berger',
  ],
  ['America/Los_Angeles', ['2027-01-01T07:59:59.999Z'], '2026-12-31_Berger'],
  ['Pacific/Kiritimati', ['2026-12-31T10:00:00.000Z'], '2027-01-01_Berger'],
] satisfies [string, string[], string][])(
  "the date in voucher_name is the server's local date [voucher-date-by-time-zone]",
  async (zone, instants, names) => {
    expect(await namedIn(zone, instants)).toBe(names);
  },
);

test('month and day have two digits and the year has four', () => {
  expect(buildStoredName('x', new Date(2027, 0, 2, 12).getTime())).toBe('2027-01-02_x');
});
