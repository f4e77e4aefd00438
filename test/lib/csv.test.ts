import { describe, expect, test } from '@jest/globals';
import { toCsv } from '../../src/lib/csv.js';

const toFile = async (language: 'de' | 'en', ...cells: string[]): Promise<string> => {
  const pieces: string[] = [];
  const columns = [
    [{ de: 'Name', en: 'name' }, (cell: string) => cell],
    [{ de: 'Ende', en: 'end' }, () => 'x'],
  ] as const;
  for await (const piece of toCsv(columns, language, [cells])) pieces.push(piece);
  return pieces.join('');
};

/** The cells of a file as a program reads them that separates by a character, whatever the file was written for. */
const readCells = (file: string, separator: string): string[] => {
  const cells: string[] = [];
  let [cell, isQuoted] = ['', false];
  const text = file.replace(/^\uFEFF/, '');
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (!isQuoted && [separator, '\r', '\n'].includes(character)) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return [...cells, cell];
};

test('every cell is quoted; German files have semicolons, English ones commas; both a byte order mark', async () => {
  expect(await toFile('de', 'a "b", c')).toBe('\uFEFF"Name";"Ende"\r\n"a ""b"", c";"x"\r\n');
  expect(await toFile('en', '')).toBe('\uFEFF"name","end"\r\n"","x"\r\n');
});

const payloads = ['=cmd|x', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'];
const prefixes = ['', 'x;', 'x,', 'x\t', 'x\n', 'x\r\n', 'x;"', 'x,"', '"', ';', ',";"'];

describe.each(['de', 'en'] as const)('in a file for %s', (language) => {
  test.each(prefixes)(
    'what begins like a formula after %j begins no cell, however lines are split',
    async (prefix) => {
      for (const payload of payloads) {
        const file = await toFile(language, prefix + payload);
        for (const separator of [';', ',', '\t'])
          for (const cell of readCells(file, separator)) expect(cell).not.toMatch(/^[=+\-@\t＝＋－＠]/);
      }
    },
  );

  test.each(['Familie Berger', '2026-11-14_Müller-Lüdenscheidt', 'a; b, c', 'x = 1 + 2', 'Zimmer 7, -'])(
    '%j stays as it is',
    async (text) =>
      expect(readCells(await toFile(language, text), language === 'de' ? ';' : ',')).toContain(text),
  );
});
