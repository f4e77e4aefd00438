import type { Readable } from 'node:stream';
import { clampTime } from '../lib/system.js';

/** Where a command reads and writes. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input; `isTTY` where a person types it. */
  readonly input?: Readable & { readonly isTTY?: boolean };
  out(text: string): void;
  err(text: string): void;
}

/** A failure that a person can do something about: one clear line, and a status other than 0. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    /** Commands to choose from, each on a line of its own below, so that one can be pasted without the others. */
    readonly commands: readonly string[] = [],
  ) {
    super(message);
  }
}

/** Rows as a table with a heading, columns as wide as their widest value. */
const formatTable = (rows: readonly Readonly<Record<string, string>>[]): string => {
  const [first] = rows;
  if (!first) return '';
  const names = Object.keys(first);
  // Names come from people and from controllers, and a terminal would obey what is in them.
  const cells = rows.map((row) => names.map((name) => sanitizeLine(row[name] ?? '')));
  const widths = names.map((name, index) =>
    Math.max(name.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const line = (values: readonly string[]): string =>
    values
      .map((value, index) => value.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(names), ...cells.map(line)].join('\n') + '\n';
};

/** Prints a list: as JSON, as a table, or the sentence for "none". */
export const printList = <T>(
  io: Io,
  json: boolean | undefined,
  items: readonly T[],
  toRow: (item: T) => Record<string, string>,
  none: string,
): void => {
  if (json) io.out(`${JSON.stringify(items, null, 2)}\n`);
  else if (items.length === 0) io.err(`${none}\n`);
  else io.out(formatTable(items.map(toRow)));
};

/** A time in a table. */
export const formatTime = (at: number | string | null): string =>
  at === null ? '-' : new Date(at).toISOString().slice(0, 19) + 'Z';

/** A time in JSON: RFC 3339 in UTC with milliseconds, as the API has it. */
export const formatTimestamp = (ms: number | null): string | null =>
  ms === null ? null : new Date(clampTime(ms)).toISOString();

/** A text from elsewhere on one line, without what a terminal would obey. */
export const sanitizeLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** A number of things: `1 voucher`, `2 vouchers`. */
export const counted = (count: number, thing: string, things = `${thing}s`): string =>
  `${String(count)} ${count === 1 ? thing : things}`;

/** What a terminal obeys, what breaks a line, and what turns the direction of reading. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** A label that a person gave: trimmed, not empty, not endless, and nothing that a terminal would obey. */
export const parseLabel = (option: string, value: string): string => {
  const trimmed = value.replaceAll('\0', '').trim();
  if (trimmed === '' || Array.from(trimmed).length > 255) {
    throw new CommandError(`${option}: "${value.slice(0, 40)}" is not allowed: 1 to 255 characters`);
  }
  if (unprintable.test(trimmed))
    throw new CommandError(
      `${option}: "${trimmed.slice(0, 40)}" is not allowed: control characters and line breaks can not be shown`,
    );
  return trimmed;
};

export const parseWholeNumber = (option: string, value: string, from: number, to: number): number => {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= from && number <= to) return number;
  throw new CommandError(
    `${option}: "${value}" is not allowed: a whole number from ${String(from)} to ${String(to)}`,
  );
};

/** What a check found. */
export interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
  readonly says: string;
  /** What to do about it; one way per line. */
  readonly advice?: string;
}

/** One line of a report: in order, not in order, or not looked at. */
type CheckMark = 'ok' | 'FAIL' | 'skip';

/** A line, and below it what to do about it: each line of the advice is one way. */
export const formatCheckLine = (mark: CheckMark, check: string, says: string, advice?: string): string => {
  const ways = advice === undefined ? [] : advice.split('\n');
  const notes = ways.map((way) => formatNoteLine(`→ ${sanitizeLine(way)}`)).join('');
  return `${mark.padEnd(4)}  ${sanitizeLine(check).padEnd(14)}  ${sanitizeLine(says)}\n${notes}`;
};

/** A line that belongs to the one above it. */
export const formatNoteLine = (text: string): string => `      ${''.padEnd(14)}  ${text}\n`;
