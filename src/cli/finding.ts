/** What a check found. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** One line of a report: in order, not in order, or not looked at. */
export type Mark = 'ok' | 'FAIL' | 'skip';

/** A line, and below it what to do about it. */
export const findingLine = (mark: Mark, check: string, says: string, advice?: string): string =>
  `${mark.padEnd(4)}  ${check.padEnd(14)}  ${says}\n${advice === undefined ? '' : noteLine(`→ ${advice}`)}`;

/** A line that belongs to the one above it. */
export const noteLine = (text: string): string => `      ${''.padEnd(14)}  ${text}\n`;
