import { randomBytes } from 'node:crypto';

/** What the service takes from the world besides its database and its controllers: the time and chance. */
export interface Effects {
  /** Milliseconds since 1970. */
  now(): number;
  randomBytes(size: number): Buffer;
}

export const systemEffects: Effects = { now: () => Date.now(), randomBytes };

/** A random identifier of 128 bits, as 32 hexadecimal characters. */
export const newId = (effects: Effects): string => effects.randomBytes(16).toString('hex');
