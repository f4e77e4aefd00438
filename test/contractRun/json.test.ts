import { expect, test } from '@jest/globals';
import { isSameJson } from '../../tools/contract/src/json.js';

test.each([
  [JSON.parse('{"limit":-0}'), { limit: 0 }, true],
  [{ a: 1, b: [null] }, { b: [null], a: 1 }, true],
  [undefined, undefined, true],
  [undefined, null, false],
  [{ limit: 1 }, { limit: -1 }, false],
  [{ limit: 0 }, { limit: null }, false],
])('%j and %j mean the same: %j', (one, other, isSame) => {
  expect(isSameJson(one, other)).toBe(isSame);
});
