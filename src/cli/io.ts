import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { sanitizeLine, toLabel } from '../lib/label.js';
import { Refusal } from '../errors/problem.js';
import { clampTime } from '../lib/system.js';
import type { ScryptCost } from '../users/passwords.js';
import { CodedError } from '../errors/codedError.js';
import { errorCodes } from './errorCodes.js';

/** Where a command reads and writes. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input; `isTTY` when it is a terminal. */
  readonly input?: Readable & { readonly isTTY?: boolean };
  /** The cost of hashing a password, when it is not that of production. */
  readonly passwordCost?: ScryptCost;
  out(text: string): void;
  err(text: string): void;
}

/** A failure that the user can fix: one line on standard error, and a status other than 0. */
export class CommandError extends CodedError<keyof typeof errorCodes> {
  override readonly name = 'CommandError';

  constructor(
    code: keyof typeof errorCodes,
    message: string,
    /** Commands to choose from, printed below on a line each so that one can be pasted. */
    readonly commands: readonly string[] = [],
    /** What to do about it, printed behind the message. */
    readonly remedy?: string,
  ) {
    super(code, message, { kind: errorCodes[code].kind });
  }
}

export interface JsonOption {
  readonly json?: boolean;
}

/** Adds the commands of a group, which all can print JSON. */
export const makeAddCommand =
  (group: Command) =>
  (name: string, description: string): Command =>
    group.command(name).description(description).option('--json', 'print JSON');

/** Prints what a command has done, as JSON or in words. */
export const printResult = (io: Io, json: boolean | undefined, result: object, text: string): void =>
  io.out(`${json ? JSON.stringify(result) : text}\n`);

/** Rows as a table with a heading. */
const formatTable = (rows: readonly Readonly<Record<string, string>>[]): string => {
  const [first] = rows;
  if (!first) return '';
  const names = Object.keys(first);
  // Names come from people and from controllers and may hold control characters.
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

/** Prints a list as JSON or as a table, or, when it is empty, a sentence on standard error. */
export const printList = <T>(
  io: Io,
  json: boolean | undefined,
  items: readonly T[],
  toRow: (item: T) => Record<string, string>,
  emptyText: string,
): void => {
  if (json) io.out(`${JSON.stringify(items, null, 2)}\n`);
  else if (items.length === 0) io.err(`${emptyText}\n`);
  else io.out(formatTable(items.map(toRow)));
};

/** A time in a table. */
export const formatTime = (at: number | string | null): string =>
  at === null ? '-' : new Date(at).toISOString().slice(0, 19) + 'Z';

/** A time in JSON: RFC 3339 in UTC with milliseconds, like the API. */
export const formatTimestamp = (ms: number | null): string | null =>
  ms === null ? null : new Date(clampTime(ms)).toISOString();

/** A number of things: `1 voucher`, `2 vouchers`. */
export const counted = (count: number, thing: string, things = `${thing}s`): string =>
  `${String(count)} ${count === 1 ? thing : things}`;

/** Parses a name or label that an option gives. */
export const parseLabel = (option: string, value: string): string => {
  try {
    return toLabel(value);
  } catch (error) {
    throw refusedOption(error, option, value);
  }
};

/** The refusal of what an option gives as one line that names the option; any other error as it is. */
export const refusedOption = (error: unknown, option: string, value: string): unknown =>
  error instanceof Refusal
    ? new CommandError(
        'option-invalid',
        `${option}: "${value.slice(0, 40)}" is not allowed: ${error.message}`,
      )
    : error;

/** Parses an option that names one of several things. */
export const parseChoice = <T extends string>(option: string, value: string, choices: readonly T[]): T => {
  const choice = choices.find((known) => known === value);
  if (choice !== undefined) return choice;
  throw new CommandError(
    'option-invalid',
    `${option}: "${value}" is not allowed: one of ${choices.join(', ')}`,
  );
};

/** Parses a whole number within bounds, both included. */
export const parseWholeNumber = (option: string, value: string, from: number, to: number): number => {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= from && number <= to) return number;
  throw new CommandError(
    'option-invalid',
    `${option}: "${value}" is not allowed: a whole number from ${String(from)} to ${String(to)}`,
  );
};

/** The result of one check. */
export interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
  /** Of what is ok, but worth a look: a next step, or something that went wrong a while ago. */
  readonly level?: 'todo' | 'warning';
  readonly message: string;
  /** What to do about it, one alternative per line. */
  readonly remedy?: string;
}

type CheckMark = 'ok' | 'FAIL' | 'skip' | 'todo' | 'WARN';

/** The mark before the line of a check. */
export const markOf = ({ ok, level }: Pick<CheckResult, 'ok' | 'level'>): CheckMark => {
  if (!ok) return 'FAIL';
  if (level === undefined) return 'ok';
  return level === 'todo' ? 'todo' : 'WARN';
};

/** A line of a report, with the remedies below it. */
export const formatCheckLine = (mark: CheckMark, check: string, message: string, remedy?: string): string => {
  const alternatives = remedy === undefined ? [] : remedy.split('\n');
  const notes = alternatives.map((text) => formatNoteLine(`→ ${sanitizeLine(text)}`)).join('');
  return `${mark.padEnd(4)}  ${sanitizeLine(check).padEnd(14)}  ${sanitizeLine(message)}\n${notes}`;
};

/** A note below a line of a report. */
export const formatNoteLine = (text: string): string => `      ${''.padEnd(14)}  ${text}\n`;
