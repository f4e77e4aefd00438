import { expect, test } from '@jest/globals';
import { drawCodes } from '../../src/controllers/codes.js';
import { nodeSystem } from '../../src/lib/system.js';

/** A random source that returns these bytes, again and again. */
const bytesOf = (...bytes: number[]) => {
  let next = 0;
  return {
    randomBytes: (size: number) =>
      Buffer.from(Array.from({ length: size }, () => bytes[next++ % bytes.length]!)),
  };
};

test('codes of digits have the length of their form, leading zeros included', () => {
  expect(drawCodes({ alphabet: 'digits', length: 10 }, 1, bytesOf(0))).toEqual(['0000000000']);
  for (const code of drawCodes({ alphabet: 'digits', length: 8 }, 500, nodeSystem))
    expect(code).toMatch(/^\d{8}$/);
});

test('letters leave out those that look like others', () => {
  const drawn = drawCodes({ alphabet: 'letters', length: 20 }, 500, nodeSystem).join('');
  expect(drawn).not.toMatch(/[^A-Z0-9]|[0O1IL2Z5S8B]/);
  expect(new Set(drawn).size).toBe(25);
});

test('each character is equally likely', () => {
  // Each byte once: 250 of 256 count, and each digit comes 25 times.
  const all = bytesOf(...Array.from({ length: 256 }, (_, byte) => byte));
  const [code = ''] = drawCodes({ alphabet: 'digits', length: 250 }, 1, all);
  for (const digit of '0123456789') expect(code.split(digit)).toHaveLength(26);
});

test('codes of one order differ', () => {
  const codes = drawCodes({ alphabet: 'digits', length: 3 }, 1000, nodeSystem);
  expect(new Set(codes).size).toBe(1000);
});
