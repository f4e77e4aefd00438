import { randomBytes } from 'node:crypto';

/** The clock and the random source. */
export interface System {
  /** Milliseconds since 1970. */
  now(): number;
  randomBytes(size: number): Buffer;
}

export const nodeSystem: System = { now: () => Date.now(), randomBytes };

/**
 * An identifier of 128 bits, as 32 hexadecimal characters: 48 bits of time, then 80 random bits, so that
 * consecutive identifiers are adjacent in an index.
 */
export const newId = (system: System): string =>
  system.now().toString(16).padStart(12, '0') + system.randomBytes(10).toString('hex');

/** The latest time that RFC 3339 can express; a `Date` becomes invalid some 270,000 years later. */
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Limits a time from elsewhere, in milliseconds, to what can be stored and shown: whole, from 1970 to the
 * year 9999.
 */
export const clampTime = (ms: number): number => Math.trunc(Math.min(Math.max(ms, 0), latest));

export type Clock = Pick<System, 'now'>;

/** Short and unique: the random part is drawn once per process. */
export const makeRequestIds = (system: System): (() => string) => {
  const process = system.randomBytes(6).toString('hex');
  let count = 0;
  return () => `${process}-${(count++).toString(36)}`;
};
