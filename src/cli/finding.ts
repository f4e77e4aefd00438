import { plain } from './io.js';

/** What a check found. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly says: string;
  /** What to do about it; one way per line. */
  readonly advice?: string;
}

/** One line of a report: in order, not in order, or not looked at. */
export type Mark = 'ok' | 'FAIL' | 'skip';

/** A line, and below it what to do about it: each line of the advice is one way. */
export const findingLine = (mark: Mark, check: string, says: string, advice?: string): string => {
  const ways = advice === undefined ? [] : advice.split('\n');
  const notes = ways.map((way) => noteLine(`→ ${plain(way)}`)).join('');
  return `${mark.padEnd(4)}  ${plain(check).padEnd(14)}  ${plain(says)}\n${notes}`;
};

/** A line that belongs to the one above it. */
export const noteLine = (text: string): string => `      ${''.padEnd(14)}  ${text}\n`;
