import type { Violation } from '../../contract/proxy/exchangeCheck.js';
import { sanitizeLine } from '../../lib/label.js';

/** How many violations of one exchange a client is told, and how much of each. */
const maxShown = 10;
const maxLength = 300;

/** A violation as one line, for people. */
export const formatViolation = ({ in: side, what, message }: Violation): string => {
  const line = sanitizeLine(`${side} ${what}: ${message}`);
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
};

/** The first violations, and how many more there are. */
export const shownViolations = (violations: readonly Violation[]): string[] => {
  const more = violations.length - maxShown;
  return [
    ...violations.slice(0, maxShown).map(formatViolation),
    ...(more > 0 ? [`and ${String(more)} more`] : []),
  ];
};

/** The same as headers, which hold Latin-1 only: names and values in turns. */
export const violationHeaders = (violations: readonly Violation[]): string[] =>
  shownViolations(violations).flatMap((text) => ['X-Contract-Violation', text.replace(/[^\x20-\x7e]/g, '?')]);
