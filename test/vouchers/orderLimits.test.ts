import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/built.js';

/** The sources of the service, by their path. */
const sources = new Map(
  ['src', 'handlers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file): [string, string] => [join(folder, file), readFileSync(join(root, folder, file), 'utf8')]),
  ),
);
const filesWith = (pattern: RegExp): string[] =>
  [...sources]
    .filter(([, text]) => pattern.test(text))
    .map(([file]) => file)
    .sort();

/**
 * Nobody can forget the rules for orders: there is one way from an order of the web UI, a kiosk or a guest to the
 * controller, and it checks them. The types hold the rest: whoever orders names a role, and an order says what it counts
 * against.
 */
test('vouchers are created by the orders of the API and by those that pass the limits, and nowhere else', () => {
  expect(filesWith(/\bcreateVouchers\(/)).toEqual(['src/vouchers/deskOrders.ts', 'src/vouchers/order.ts']);
  expect(filesWith(/intents\.begin\(/)).toEqual(['src/vouchers/createVouchers.ts']);
  expect(filesWith(/\bmakeControllerOrders\(/)).toEqual(['src/vouchers/createVouchers.ts']);
  expect(filesWith(/site\.controller\.create\(/)).toEqual(['src/vouchers/controllerOrder.ts']);
  // The one place that looks up a rule, checks it, and says what is counted.
  expect(filesWith(/\bcheckOrderLimits\(/)).toEqual(['src/vouchers/deskOrders.ts']);
  expect(filesWith(/insert into orders\b|\('orders'\)\s*\.insert\(/)).toEqual(['src/vouchers/orderTable.ts']);
  expect(filesWith(/\binsertOrders\(/)).toEqual(['src/vouchers/dailyLimitTable.ts']);
});
