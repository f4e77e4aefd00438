import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { makeSha256 } from '../../web/src/pages/guest/sha256.ts';
import { solveAll } from '../../web/src/pages/guest/solvePuzzle.ts';

const hexOf = (words: Uint32Array): string =>
  Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');

test('the SHA-256 of texts that share their beginning is the usual one', () => {
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 119, 127, 128, 300]) {
    const prefix = 'aé'.repeat(150).slice(0, length);
    const hash = makeSha256(prefix);
    for (const ending of ['', '0', '123456789', 'x'.repeat(100)]) {
      const usual = createHash('sha256').update(prefix + ending);
      expect([length, hexOf(hash(ending))]).toEqual([length, usual.digest('hex')]);
    }
  }
});

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
