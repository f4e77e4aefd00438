import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Without it Excel takes UTF-8 for something else. */
const byteOrderMark = '\uFEFF';

/** Where a comma is the decimal sign, spreadsheets expect semicolons: so a double click opens the file. */
const separators = { de: ';', en: ',', es: ';', fr: ';', it: ';', nl: ';' } as const;

/** The language of a file's headings. */
type CsvLanguage = keyof typeof separators;

/** The columns of a file: their headings in each language, and what each shows of an item. */
export type CsvColumns<T> = readonly (readonly [
  heading: Readonly<Record<CsvLanguage, string>>,
  cell: (item: T) => string,
])[];

/**
 * Pages of items as a file by RFC 4180, in UTF-8 with a byte order mark, piece by piece. There is no line
 * `sep=`: Excel would no longer recognise UTF-8. Headings and separator are for readers of one language. What
 * stands in the cells is for programs, too, and stays the same.
 */
export const toCsv = async function* <T>(
  columns: CsvColumns<T>,
  language: CsvLanguage,
  pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
): AsyncGenerator<string, void, void> {
  const toLine = (cells: readonly string[]): string =>
    `${cells.map(toCsvCell).join(separators[language])}\r\n`;
  yield byteOrderMark + toLine(columns.map(([heading]) => heading[language]));
  for await (const page of pages)
    if (page.length > 0) yield page.map((item) => toLine(columns.map(([, cell]) => cell(item)))).join('');
};

/** After each piece others have as much time as it took, up to this. */
const maxPauseMs = 100;

/**
 * Such a file as a stream. The first page is read before, so what fails there can still be answered. What
 * reads the pages gets a signal, which aborts when the stream is closed; `signal` counts until the stream
 * begins.
 */
export const streamCsv = async <T>(
  columns: CsvColumns<T>,
  language: CsvLanguage,
  readPages: (closed: AbortSignal) => AsyncGenerator<readonly T[], void, void>,
  signal: AbortSignal,
): Promise<Readable> => {
  signal.throwIfAborted();
  const closed = new AbortController();
  const abort = (): void => closed.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const pages = readPages(closed.signal);
  const first = await pages.next().finally(() => signal.removeEventListener('abort', abort));
  const all = async function* (): AsyncGenerator<readonly T[], void, void> {
    if (first.done !== true) yield first.value;
    yield* pages;
  };
  const pieces = toCsv(columns, language, all());
  return new Readable({
    read() {
      const began = performance.now();
      pieces.next().then(
        async ({ done, value }) => {
          await sleep(Math.min(performance.now() - began, maxPauseMs), undefined, { ref: false });
          if (!this.destroyed) this.push(done === true ? null : value);
        },
        (error: unknown) => this.destroy(error as Error),
      );
    },
    // Not when the generator ends: that would wait for the page that it is reading.
    destroy(error, done) {
      closed.abort();
      done(error);
    },
  });
};

/**
 * A time as every spreadsheet reads it, whatever its language: the year first, a blank, and no zone. It is
 * the local time of the service, as in the names of vouchers; spreadsheets take ISO times with a `Z` for
 * texts.
 */
export const toCsvTime = (time: string | number): string => {
  const date = new Date(time);
  const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
  const day = [pad(date.getFullYear(), 4), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => pad(part)).join(':')}`;
};

/** What a formula begins with, also in the forms that Unicode has beside those of a keyboard. */
const signs = String.raw`=+\-@＝＋－＠﹦﹢﹣﹫−`;
/** A quote, a blank or something that nobody sees, but nothing that separates cells. */
const invisible = String.raw`(?:(?![\t\r\n])["\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800])`;

/**
 * Where a formula could begin: in front of the cell and, for a spreadsheet that splits lines elsewhere, after
 * anything that may separate cells. Quotes, blanks and invisible characters may stand in between, because
 * some spreadsheets drop them; a sign after a blank with nothing behind it, as in `Room 7, -`, is no formula.
 * No part of a text is looked at for two separators, so a long one takes no longer than its length.
 */
const formulaStart = new RegExp(
  [
    String.raw`(^|[;,\t\r\n])`,
    String.raw`(?="*[${signs}\t\r\n]|${invisible}*[${signs}](?!${invisible}*(?:$|[;,\t\r\n])))`,
  ].join(''),
  'gu',
);

/** Spreadsheets run a cell that begins like a formula; an apostrophe in front makes it a text. */
const toCsvCell = (text: string): string => `"${text.replaceAll(formulaStart, "$1'").replaceAll('"', '""')}"`;
