import { expect, test } from '@jest/globals';
import { splitOrder, toOrderLabel } from '../../src/controllers/orderParts.js';
import { someOrder } from '../conformance/controller.js';
import { testCases } from '../support/cases.js';

test('an order within the limit of a call is one call', () => {
  const order = someOrder();
  expect(splitOrder({}, order, 500)).toEqual([{ order, count: 500 }]);
  expect(splitOrder({ maxPerCall: 3 }, order, 3)).toEqual([{ order, count: 3 }]);
});

test('a larger order is split, always in the same way, and each part has its codes and a reference of its own', () => {
  const order = someOrder({ codes: ['a', 'b', 'c', 'd', 'e'] });
  const parts = splitOrder({ maxPerCall: 2 }, order, 5);
  expect(parts).toEqual(splitOrder({ maxPerCall: 2 }, order, 5));
  expect(parts.map(({ count }) => count)).toEqual([2, 2, 1]);
  expect(parts.map((part) => part.order.codes)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  expect(new Set(parts.map((part) => part.order.reference)).size).toBe(3);
});

testCases([32, 64])(
  'a label has a limited length, begins with the name, and no two orders share it',
  (most) => {
    const order = someOrder({ name: `2026-11-14_${'ä'.repeat(255)}` });
    const label = toOrderLabel(order, most);
    expect(Array.from(label)).toHaveLength(most);
    expect(label.startsWith('2026-11-14_ää')).toBe(true);
    expect(toOrderLabel(order, most)).toBe(label);
    expect(toOrderLabel({ ...order, reference: 'another' }, most)).not.toBe(label);
  },
);
