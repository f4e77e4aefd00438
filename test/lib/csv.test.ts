import { describe, expect, test } from '@jest/globals';
import { pageLanguages, type PageLanguage } from '../../src/i18n/language.js';
import { toTexts } from '../../src/i18n/messages.js';
import { toCsv } from '../../src/lib/csv.js';

const toFile = async (language: PageLanguage, ...cells: string[]): Promise<string> => {
  const pieces: string[] = [];
  const columns = [
    [toTexts((name) => `name-${name}`), (cell: string) => cell],
    [toTexts((name) => `end-${name}`), () => 'x'],
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

test('every cell is quoted, after a byte order mark; commas separate them in English, semicolons elsewhere', async () => {
  for (const language of pageLanguages) {
    const separator = language === 'en' ? ',' : ';';
    const lines = [['name', 'end'].map((word) => `"${word}-${language}"`), ['"a ""b"", c"', '"x"']].map(
      (cells) => `${cells.join(separator)}\r\n`,
    );
    expect([language, await toFile(language, 'a "b", c')]).toEqual([language, `\uFEFF${lines.join('')}`]);
  }
});

const payloads = ['=cmd|x', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '\u22121+1', '﹦1', '= 1'];
const prefixes = ['', 'x;', 'x,', 'x\t', 'x\n', 'x\r\n', 'x;"', 'x,"', '"', ';', ',";"'];
/** A blank, and what looks like one or like nothing. */
const invisible = [
  ' ',
  '  ',
  '\u00A0',
  '\u200B',
  '\uFEFF',
  '\u2060',
  '\u00AD',
  '\u3000',
  '\u3164',
  '\u2800',
  '\0',
];
const fillers = [...invisible, '" ', ' "', '\u200B \uFEFF'];

/** What a spreadsheet may run that drops blanks, quotes and what nobody sees. */
const hiddenFormula = /^["\s\0\u200B\uFEFF\u2060\u00AD\u3164\u2800]*[=+\-@＝＋－＠\u2212﹦]/;

/** The cells of a file with a text that could be run as a formula, however a spreadsheet splits its lines. */
const findFormulas = async (language: PageLanguage, text: string): Promise<string[]> => {
  const file = await toFile(language, text);
  return [';', ',', '\t'].flatMap((separator) =>
    readCells(file, separator).filter((cell) => hiddenFormula.test(cell) || cell.startsWith('\t')),
  );
};

describe.each(['de', 'en'] as const)('in a file for %s', (language) => {
  test('what begins like a formula begins no cell, however lines are split', async () => {
    const found: string[] = [];
    for (const filler of ['', ...fillers])
      for (const payload of payloads)
        for (const prefix of prefixes)
          found.push(...(await findFormulas(language, prefix + filler + payload)));
    expect(found).toEqual([]);
  });

  test('other texts stay as they are', async () => {
    for (const text of [
      'Familie Berger',
      '2026-11-14_Müller-Lüdenscheidt',
      'a; b, c',
      'x = 1 + 2',
      'Zimmer 7, -',
      'Zimmer 7; \u2212',
      'a, b - c',
    ])
      expect(readCells(await toFile(language, text), language === 'de' ? ';' : ',')).toContain(text);
  });
});

test('a long text takes no longer than its length', async () => {
  for (const part of [', ', '\t ', ' ', '"', ',\u200B', ' -']) {
    const text = part.repeat(512 * 1024);
    expect((await toFile('en', text)).length).toBeGreaterThan(text.length);
  }
});
