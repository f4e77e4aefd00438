import type { Io } from './io.js';

const progressIntervalMs = 1000;

/** Prints progress on a terminal, once a second at most. */
export const makeProgress = (io: Io, what: string, format: (count: number) => string = String) => {
  let shownAt = performance.now();
  return (done: number, all?: number): void => {
    if (io.input?.isTTY !== true || performance.now() - shownAt < progressIntervalMs) return;
    shownAt = performance.now();
    io.err(`${what}: ${format(done)}${all === undefined ? '' : ` of ${format(all)}`}\n`);
  };
};
