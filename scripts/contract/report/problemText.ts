import type { FoundProblem } from '../run/results.js';

/** A problem in plain lines: what, where, how to repeat it. */
export const problemText = ({ what, at, line, curl, seed }: FoundProblem): string =>
  [what, at, line && `  ${line}`, curl, seed === undefined ? undefined : `seed ${seed}`]
    .filter((part) => part !== undefined)
    .join('\n');
