import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { solveAll } from '../../web/src/pages/guest/solvePuzzle.ts';

test('a solution has a number for each puzzle whose hash begins with as many zeros', () => {
  const puzzle = { challenge: 'v2:abc', orderId: 'order', puzzles: 4, bits: 9 };
  const numbers = solveAll(puzzle);
  expect(numbers).toHaveLength(4);
  for (const [index, number] of numbers.entries()) {
    const hash = createHash('sha256')
      .update(`v2:abc:order:${String(index)}:${String(number)}`)
      .digest();
    expect(hash.readUInt16BE() >> 7).toBe(0);
  }
});
