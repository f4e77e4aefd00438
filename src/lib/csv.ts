import type { Texts } from './texts.js';

/** Without it Excel takes UTF-8 for something else. */
const byteOrderMark = '\uFEFF';

/** The columns of a file: their headings, and what each shows of an item. */
export type CsvColumns<T> = readonly (readonly [heading: string, cell: (item: T) => string])[];

/** Columns with headings in each language. */
export type TranslatedCsvColumns<T> = readonly (readonly [heading: Texts, cell: (item: T) => string])[];

/** The same columns for readers of one language. What stands in the cells is for programs, too, and stays the same. */
export const columnsIn = <T>(columns: TranslatedCsvColumns<T>, language: keyof Texts): CsvColumns<T> =>
  columns.map(([heading, cell]) => [heading[language], cell]);

/** Pages of items as a file by RFC 4180, in UTF-8 with a byte order mark, piece by piece. */
export const toCsv = async function* <T>(
  columns: CsvColumns<T>,
  pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
): AsyncGenerator<string, void, void> {
  yield byteOrderMark + toCsvLine(columns.map(([heading]) => heading));
  for await (const page of pages)
    if (page.length > 0) yield page.map((item) => toCsvLine(columns.map(([, cell]) => cell(item)))).join('');
};

const toCsvLine = (cells: readonly string[]): string => `${cells.map(toCsvCell).join(',')}\r\n`;

/** Spreadsheets run a cell that begins like a formula; an apostrophe in front makes it a text. */
const toCsvCell = (text: string): string => {
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};
