import { makeSha256 } from './sha256.ts';

/** What the service asks a browser to solve, and for which order. */
export interface Puzzle {
  readonly challenge: string;
  readonly orderId: string;
  readonly puzzles: number;
  readonly bits: number;
}

/** The first number for this index whose hash begins with enough zeros. */
export const solveOne = ({ challenge, orderId, bits }: Puzzle, index: number): number => {
  const hash = makeSha256(`${challenge}:${orderId}:${String(index)}:`);
  for (let number = 0; ; number += 1) if (Math.clz32(hash(String(number))[0] ?? 0) >= bits) return number;
};

/** All of them, one after the other. */
export const solveAll = (puzzle: Puzzle): number[] =>
  Array.from({ length: puzzle.puzzles }, (_, index) => solveOne(puzzle, index));
