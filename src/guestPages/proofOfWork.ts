import { hash } from 'node:crypto';
import type { System } from '../lib/system.js';
import type { BrowserTokens } from '../secrets/browserTokens.js';
import { challengeBinding } from '../secrets/encryption.js';

/**
 * A puzzle that a browser solves before it asks for a voucher: for each index below `puzzles`,
 * a number whose SHA-256 of `challenge:orderId:index:number` begins with `bits` zero bits.
 * Several small puzzles take a more even time than a large one. A solution is good for one order only.
 */
export interface Challenge {
  /** Sealed, with its time and page. Nothing is stored of it. */
  readonly challenge: string;
  readonly puzzles: number;
  readonly bits: number;
  readonly expiresAt: number;
}

const puzzles = 16;
/** Some 130,000 hashes: about a second on a phone. */
const usualBits = 13;
export const challengeMs = 10 * 60_000;

/** What a browser sends with its order. */
export interface Solution {
  readonly page: string;
  readonly orderId: string;
  readonly challenge: string;
  readonly numbers: readonly number[];
}

export interface ProofOfWork {
  create(page: string): Promise<Challenge>;
  /** Is the challenge ours, for this page, not expired, and solved for this order? Asks no database. */
  isSolved(solution: Solution): boolean;
}

export const makeProofOfWork = (tokens: BrowserTokens, system: System, bits = usualBits): ProofOfWork => ({
  create: async (page) => {
    const expiresAt = system.now() + challengeMs;
    const challenge = await tokens.seal(JSON.stringify([page, expiresAt]), challengeBinding);
    return { challenge, puzzles, bits, expiresAt };
  },
  isSolved: ({ page, orderId, challenge, numbers }) => {
    if (numbers.length !== puzzles) return false;
    const opened = tokens.open(challenge, challengeBinding);
    if (opened === undefined) return false;
    const [forPage, expiresAt] = JSON.parse(opened) as [string, number];
    const leftMs = expiresAt - system.now();
    if (forPage !== page || leftMs <= 0 || leftMs > challengeMs) return false;
    return numbers.every((number, index) =>
      beginsWithZeros(
        hash('sha256', `${challenge}:${orderId}:${String(index)}:${String(number)}`, 'buffer'),
        bits,
      ),
    );
  },
});

/** Are so many bits at the beginning of these bytes 0? */
const beginsWithZeros = (bytes: Uint8Array, bits: number): boolean => {
  const [whole, rest] = [bits >> 3, bits & 7];
  for (let index = 0; index < whole; index += 1) if (bytes[index] !== 0) return false;
  return rest === 0 || (bytes[whole] ?? 255) >> (8 - rest) === 0;
};
