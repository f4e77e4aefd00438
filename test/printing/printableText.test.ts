import { describe, expect, test } from '@jest/globals';
import { layOutLines } from '../../src/printing/bidiText.js';
import { loadPrintFonts } from '../../src/printing/fonts.js';
import { isPrintable, toPrintable } from '../../src/printing/printableText.js';

describe('what can be printed', () => {
  const isUsed = (character: string): boolean =>
    !/\p{C}/u.test(character) && toPrintable(character) === character;

  /** Do the fonts have it, in both weights, that it is written with? */
  const makeHasShape = async () => {
    const fonts = await loadPrintFonts();
    return (character: string): boolean => {
      const [[segment] = []] = layOutLines(character, 'auto', Infinity, () => 0);
      return (['regular', 'bold'] as const).every((weight) =>
        fonts.open(segment?.script ?? 'other', weight).hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
      );
    };
  };

  test('is in the fonts', async () => {
    const hasShape = await makeHasShape();
    const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
    const used = characters.filter(isUsed);
    expect(used.length).toBeGreaterThan(1000);
    expect(used.filter((character) => !hasShape(character))).toEqual([]);
  });

  test('is all that is in the fonts, but for what says that something is missing', async () => {
    const hasShape = await makeHasShape();
    const { open } = await loadPrintFonts();
    const codes = (['other', 'arabic'] as const).flatMap((script) => open(script, 'regular').characterSet);
    const unused = [...new Set(codes)]
      .map((code) => String.fromCodePoint(code))
      .filter((character) => character.normalize('NFC') === character && !/\p{C}/u.test(character))
      .filter((character) => hasShape(character) && !isUsed(character));
    expect(unused.sort()).toEqual(['\uFFFC', '\uFFFD']);
  });
});

test.each([
  ['Łódź Ștefan Ελένη Юлия שלום مریم', 'Łódź Ștefan Ελένη Юлия שלום مریم'],
  ['Zimmer 12 ☕', 'Zimmer 12 '],
  ['Wi\u2011Fi\t1\u202F000', 'Wi-Fi 1\u00A0000'],
  ['e\u0301', 'é'],
])('%s is printed whole', (text, printed) => {
  expect([toPrintable(text), isPrintable(text)]).toEqual([printed, true]);
});

test.each([
  ['山田 太郎', '[…]'],
  ['Zimmer 中文 12', 'Zimmer […] 12'],
  ['김\n이', '[…]\n[…]'],
  ['สมชาย', '[…]'],
  ['a\uD800b', 'a[…]b'],
])('one mark stands for what is missing of %j', (text, printed) => {
  expect([toPrintable(text), isPrintable(text)]).toEqual([printed, false]);
});
