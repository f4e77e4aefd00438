import { randomBytes } from 'node:crypto';

/** What the service takes from the world besides its database and its controllers: the time and chance. */
export interface Effects {
  /** Milliseconds since 1970. */
  now(): number;
  randomBytes(size: number): Buffer;
}

const poolSize = 4096;
let pool = Buffer.alloc(0);

/** Asking the system costs the same for a few bytes as for many, so many are drawn at a time; each is given out once. */
const pooledBytes = (size: number): Buffer => {
  if (size > pool.length) pool = randomBytes(Math.max(size, poolSize));
  const bytes = pool.subarray(0, size);
  pool = pool.subarray(size);
  return bytes;
};

export const systemEffects: Effects = { now: () => Date.now(), randomBytes: pooledBytes };

/**
 * An identifier of 128 bits, as 32 hexadecimal characters: 48 of the time, 80 of chance. What is made one after the
 * other lies side by side in an index.
 */
export const newId = (effects: Effects): string =>
  effects.now().toString(16).padStart(12, '0') + effects.randomBytes(10).toString('hex');
