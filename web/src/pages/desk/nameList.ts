/** A list of names as somebody has typed, pasted or loaded it: one line for each voucher. */
export interface NameList {
  readonly names: readonly string[];
  /** What has to be mended before anything can be ordered. */
  readonly problems: readonly NameProblem[];
  /** Lines with a name that stood before, which may be meant. */
  readonly repeated: readonly RepeatedName[];
}

export type NameProblem =
  | { readonly kind: 'too-long'; readonly line: number }
  | { readonly kind: 'too-many'; readonly count: number };

interface RepeatedName {
  readonly line: number;
  readonly first: number;
  readonly name: string;
}

export const maxNameLength = 255;
export const maxNames = 500;

interface NameListOptions {
  readonly most?: number;
  /** Whether the first line is a heading, which is left out. */
  readonly hasHeading?: boolean;
}

/** Empty lines are left out; lines are counted as an editor counts them. */
export const parseNames = (
  text: string,
  { most = maxNames, hasHeading = false }: NameListOptions = {},
): NameList => {
  const lines = text.split(/\r\n|\r|\n/);
  const isPastedTable = isTable(lines);
  const named = lines
    .map((line, index) => ({ name: toName(unquote(line, isPastedTable)), line: index + 1 }))
    .filter(({ name }) => name !== '')
    .slice(hasHeading ? 1 : 0);
  const firstLines = new Map<string, number>();
  const repeated: RepeatedName[] = [];
  for (const { name, line } of named) {
    const key = name.toLocaleLowerCase();
    const first = firstLines.get(key);
    if (first === undefined) firstLines.set(key, line);
    else repeated.push({ line, first, name });
  }
  return {
    names: named.map(({ name }) => name),
    problems: [
      ...named.flatMap(({ name, line }): NameProblem[] =>
        Array.from(name).length > maxNameLength ? [{ kind: 'too-long', line }] : [],
      ),
      ...(named.length > most ? [{ kind: 'too-many', count: named.length } as const] : []),
    ],
    repeated,
  };
};

/** Lines of a table that was pasted: the cells of a line are one name, as in a file. */
const isTable = (lines: readonly string[]): boolean => {
  const filled = lines.filter((line) => line.trim() !== '');
  return filled.length > 1 && filled.every((line) => line.includes(';'));
};

/** The cells of a line as one text. Only a line that is CSV in full loses its quotes: elsewhere they are part of a name. */
const unquote = (line: string, isOfTable: boolean): string => {
  const text = line.trim();
  const possible = !text.includes('"') ? [] : isOfTable ? tableSeparators : quotedSeparators;
  const separator = possible.find((one) => isCsvLine(text, one));
  if (separator !== undefined) return (readCsv(text, separator)[0] ?? []).join(' ');
  return isOfTable ? text.replaceAll(';', ' ') : text;
};

const tableSeparators = [';'] as const;
const quotedSeparators = ['\t', ';', ','] as const;

const isCsvLine = (line: string, separator: string): boolean => {
  const cell = `(?:"(?:[^"]|"")*"|[^"${separator}]*)`;
  return new RegExp(`^${cell}(?:${separator}${cell})*$`).test(line);
};

const toName = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const separators = [';', '\t', ','] as const;

/** A CSV file as lines of names: the cells of a line are one name, such as a first and a last name. */
export const csvToLines = (file: string): string => {
  const text = file.replace(/^\uFEFF/, '');
  const [firstLine = ''] = text.split(/\r?\n/, 1);
  const count = (separator: string): number => firstLine.split(separator).length;
  const separator = separators.reduce((best, one) => (count(one) > count(best) ? one : best));
  return readCsv(text, separator)
    .map((cells) => toName(cells.join(' ')))
    .join('\n');
};

/** The lines of a CSV file by RFC 4180. */
const readCsv = (text: string, separator: string): string[][] => {
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endCell = (): void => {
    cells.push(cell);
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === separator) endCell();
    else if (character === '\n') {
      endCell();
      lines.push(cells);
      cells = [];
    } else if (character !== '\r') cell += character;
  }
  if (cell !== '' || cells.length > 0) {
    endCell();
    lines.push(cells);
  }
  return lines;
};

/** Spreadsheets on Windows save CSV files in its own code page, unless they are told otherwise. */
export const decodeCsv = (bytes: ArrayBuffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};
