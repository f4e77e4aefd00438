import { sha256 } from '@noble/hashes/sha2.js';

/** What the service asks a browser to solve, and for which order. */
export interface Puzzle {
  readonly challenge: string;
  readonly orderId: string;
  readonly puzzles: number;
  readonly bits: number;
}

const encoder = new TextEncoder();

/**
 * The first number for this index whose hash begins with enough zeros. Browsers have a SHA-256 of their own only over
 * HTTPS, and theirs is slower for many short texts. What these share is hashed once.
 */
export const solveOne = ({ challenge, orderId, bits }: Puzzle, index: number): number => {
  const begun = sha256.create().update(encoder.encode(`${challenge}:${orderId}:${String(index)}:`));
  for (let number = 0; ; number += 1) {
    const hash = begun
      .clone()
      .update(encoder.encode(String(number)))
      .digest();
    if (Math.clz32(new DataView(hash.buffer).getUint32(0)) >= bits) return number;
  }
};

/** All of them, one after the other. */
export const solveAll = (puzzle: Puzzle): number[] =>
  Array.from({ length: puzzle.puzzles }, (_, index) => solveOne(puzzle, index));
