import { buffer } from 'node:stream/consumers';
import { describe, expect, jest, test } from '@jest/globals';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';
import { guestLanguages, type GuestLanguage } from '../../src/i18n/guestLanguages.js';
import { loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { layOutLines } from '../../src/printing/bidiText.js';
import { loadPrintFonts } from '../../src/printing/fonts.js';
import { makePdfText } from '../../src/printing/pdf/pdfText.js';
import { makePrepareLogo } from '../../src/printing/printedLogo.js';
import type { SheetPaper } from '../../src/printing/pdf/papers.js';
import { makeVoucherPdf, type PdfLayout } from '../../src/printing/pdf/voucherPdf.js';
import { toVoucherSlip, type VoucherSlip } from '../../src/printing/voucherSlip.js';
import { slipIn as pieceIn } from '../soak/printed/pieces.js';
import { withPdf } from '../support/pdf.js';
import { someVoucher } from '../support/records.js';
import { closedWifi } from '../support/wifiNetworks.js';

const slipIn = (language: GuestLanguage, expireMinutes = 4385): VoucherSlip =>
  toVoucherSlip(
    { ...someVoucher({ code: '1234567890' }), maxUses: 1200, expireMinutes },
    {
      name: 'Gästehaus & Wellnesshotel „Zum Goldenen Löwen“ am See',
      ...{ slipText: 'Wort '.repeat(40).trim(), logo: undefined },
      network: closedWifi('Gäste-WLAN Löwe (5G)!', 'Sommer;2026!(Löwe)'),
    },
    loadGuestTexts(language),
  );

/** A small paper of each kind, and what has to be on it whatever the language. */
const papers = [
  ['a slip on A7', { kind: 'slip', paper: 'a7' }, ['validity', 'uses', 'steps']],
  ['a credit card', { kind: 'slip', paper: 'card' }, ['validity', 'uses', 'steps']],
  ['a label of 38 mm', { kind: 'labels', paper: 'avery-l7160', firstLabel: 1 }, ['uses']],
  [
    'a sheet',
    { kind: 'sheet', paper: 'a4', columns: 2, rows: 5, hasCutMarks: false },
    ['validity', 'uses', 'steps'],
  ],
  ['a roll of 58 mm', { kind: 'receipt', paper: '58mm' }, ['codeLabel', 'validity', 'uses', 'steps']],
] as const satisfies readonly (readonly [string, PdfLayout, readonly (keyof VoucherSlip)[]])[];

const squeeze = (text: string): string => text.replaceAll(/\s/g, '');

const sheet = (columns: number, rows: number, paper: SheetPaper = 'a4'): PdfLayout => ({
  ...{ kind: 'sheet', paper, columns, rows },
  hasCutMarks: false,
});

/** The smallest papers of each kind, and the sheets whose slips are the smallest, the narrowest and the widest. */
const smallLayouts: readonly (readonly [string, PdfLayout])[] = [
  ['a credit card', { kind: 'slip', paper: 'card' }],
  ['a roll of 58 mm', { kind: 'receipt', paper: '58mm' }],
  ['a label of 25 mm', { kind: 'labels', paper: 'avery-5160', firstLabel: 1 }],
  ['a sheet of 3 × 10 on Letter', sheet(3, 10, 'letter')],
  ['a sheet of 1 × 10', sheet(1, 10)],
  ['a sheet of 3 × 1', sheet(3, 1)],
];

interface Printed {
  readonly whole: string;
  /** Of each slip: its page, or what stands from its code to the next code. */
  readonly texts: readonly string[];
}

/** Prints all slips into one file, and reads them without blanks. */
const print = async (slips: readonly VoucherSlip[], layout: PdfLayout): Promise<Printed> => {
  const numbered = slips.map((slip, index) => ({ ...slip, formattedCode: `12345-678${String(10 + index)}` }));
  const file = await buffer(await makeVoucherPdf(numbered, layout, new Date()));
  return withPdf(file, (pages) => {
    const texts = pages.map((page) => squeeze(page.texts.join('')));
    const whole = texts.join('');
    if (layout.kind === 'slip' || layout.kind === 'receipt') return { whole, texts };
    return { whole, texts: whole.split(/(?=12345-678\d\d)/).slice(-slips.length) };
  });
};

/** Characters of a text, whatever their order: Persian letters are printed in the order of their shapes. */
const countCharacters = (text: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const character of text.replaceAll(/[\u200C\u200F\u2066-\u2069]/g, ''))
    counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
};

const containsCharacters = (text: string, part: string): boolean => {
  const counts = countCharacters(text);
  return [...countCharacters(part)].every(([character, count]) => (counts.get(character) ?? 0) >= count);
};

test.each(smallLayouts)(
  '%s tells all of how long, how often, how fast and how much, in every language',
  async (_name, layout) => {
    // Where the longest texts have room, usual ones have; but which wording is printed depends on the room that there is.
    const fillings = layout.kind === 'labels' ? (['limited', 'longest'] as const) : (['longest'] as const);
    for (const filling of fillings) {
      // Without its steps and name, there are no other letters behind the code of a Persian slip.
      const slips = guestLanguages.map((language) => ({
        ...pieceIn(language, filling),
        ...(language === 'fa' && { steps: '', name: null }),
      }));
      const { texts } = await print(slips, layout);
      for (const [index, { facts }] of slips.entries()) {
        const language = guestLanguages[index]!;
        const text = texts[index]!;
        const has =
          language === 'fa' ? containsCharacters : (whole: string, part: string) => whole.includes(part);
        const isComplete = facts.some((wording) => has(text, squeeze(wording)));
        expect({ filling, language, text, isComplete }).toEqual({
          filling,
          language,
          text,
          isComplete: true,
        });
      }
    }
  },
);

test('the fewest words still have every figure', () => {
  const figuresOf = (text: string): string[] => [...text.matchAll(/\p{Nd}+/gu)].map(([figure]) => figure);
  for (const language of guestLanguages) {
    const { facts } = pieceIn(language, 'limited');
    const [first = '', , third = '', fewest = ''] = facts;
    const figures = figuresOf(first);
    expect({ language, figures: facts.map(figuresOf) }).toEqual({
      language,
      figures: Array(4).fill(figures),
    });
    expect(figures).toHaveLength(5);
    expect(fewest.length).toBeLessThan(third.length);
    expect(fewest).not.toMatch(/undefined|[{}]/);
  }
});

test('a speed that stands alone keeps its word, and what has no limit is left out', () => {
  const factsOf = (values: object): string =>
    toVoucherSlip(
      { ...someVoucher({ maxUses: 0 }), expireMinutes: 90, ...values },
      { name: 'x', slipText: null, logo: undefined, network: undefined },
      loadGuestTexts('en'),
    ).facts[3]!.replaceAll('\u00A0', ' ');
  expect(factsOf({ down: 20_000, up: 5000 })).toBe('1 hr 30 min · 20/5 Mbit/s');
  expect(factsOf({ up: 5000, quotaMb: 1500 })).toBe('1 hr 30 min · Upload up to 5 Mbit/s · 1.5 GB');
  expect(factsOf({ maxUses: 2 })).toBe('1 hr 30 min · 2×');
});

/** Persian letters are printed in the order of their shapes. */
const readable = guestLanguages.filter((name) => name !== 'fa');

test.each(papers)('%s has room for the texts of every language', async (_name, layout, parts) => {
  // Days, hours and minutes are too long for labels.
  const slips = readable.map((language) => slipIn(language, layout.kind === 'labels' ? 1440 : undefined));
  const { whole, texts } = await print(slips, layout);
  expect(whole.split('Sommer;2026!(Löwe)')).toHaveLength(slips.length + 1);
  expect(whole).not.toContain('?');
  for (const [index, text] of texts.entries()) {
    const expected = [...parts.map((part) => slips[index]![part]), '12345-678'];
    const missing = expected.filter((part) => !text.includes(squeeze(part)));
    expect([readable[index], text, missing]).toEqual([readable[index], text, []]);
  }
});

const usualSlip = (language: GuestLanguage, logo?: VoucherSlip['logo']): VoucherSlip =>
  toVoucherSlip(
    { ...someVoucher(), maxUses: 2, expireMinutes: 4320 },
    { name: 'Hotel am See', slipText: null, logo, network: closedWifi('Hotel-Gast', 'sommer2026') },
    loadGuestTexts(language),
  );

/** Which of its texts are on the slip of each language. */
const printUsual = async (layout: PdfLayout, logo?: VoucherSlip['logo']): Promise<string[]> => {
  const slips = readable.map((language) => usualSlip(language, logo));
  const { texts } = await print(slips, layout);
  return texts.map((text, index) => {
    const { steps, validity, uses } = slips[index]!;
    const parts = { steps, validity, duration: loadGuestTexts(readable[index]!).duration(4320), uses };
    const found = Object.entries(parts).filter(([, part]) => text.includes(squeeze(part)));
    return `${readable[index]}: ${found.map(([name]) => name).join(' ')}`;
  });
};

test('what the guest does comes before the logo, which becomes smaller or is left out', async () => {
  const file = await sharp({ create: { width: 600, height: 200, channels: 3, background: '#369' } })
    .png()
    .toBuffer();
  const logo = await makePrepareLogo()({ image: file, mediaType: 'image/png' });
  expect(logo).toBeDefined();
  for (const line of await printUsual({ kind: 'slip', paper: 'card' }, logo))
    expect(line).toMatch(/^[\w-]+: steps validity duration uses$/);
});

test('the smallest labels say how long and how often in words, in every language', async () => {
  const smallest = { kind: 'labels', paper: 'avery-5160', firstLabel: 1 } as const;
  for (const layout of [sheet(3, 10), smallest])
    for (const line of await printUsual(layout))
      expect(line).toMatch(/^[\w-]+: (steps )?(validity )?duration uses$/);
});

test('lines end at blanks only: not inside of Wi-Fi, nor between a number and its unit', () => {
  const lines = layOutLines('la red Wi-Fi: 3\u00A0días', 'auto', 9, ({ text }) => text.length);
  expect(lines.map((line) => line.map(({ text }) => text).join(''))).toEqual([
    'la red',
    'Wi-Fi:',
    '3\u00A0días',
  ]);
});

describe('Persian', () => {
  test.each(papers)(
    '%s is drawn from right to left, with nothing outside of it',
    async (_name, layout, _parts) => {
      const file = await buffer(await makeVoucherPdf([slipIn('fa')], layout, new Date()));
      await withPdf(file, async ([page]) => {
        expect(page!.texts.join(' ')).not.toContain('?');
        expect(page!.texts.join(' ')).toContain('12345-67890');
        const { data, width, height } = await page!.draw(undefined, 1);
        for (let y = 0; y < height; y += 1)
          for (const x of [0, width - 1]) expect(data[(y * width + x) * 4]).toBeGreaterThan(128);
      });
    },
  );

  const inOrder = (text: string, width = Infinity): string[] =>
    layOutLines(text, 'rtl', width, ({ text: part }) => part.length).map((line) =>
      line.map(({ text: part, script }) => `${script === 'arabic' ? 'A' : 'L'}[${part}]`).join(''),
    );

  test('a Latin name keeps its order, and quotation marks change sides', () => {
    // The font turns what it writes: segments stand from left to right, their letters are in reading order.
    expect(inOrder('شبکهٔ «\u2068Hotel (5G)!\u2069» را')).toEqual(['A[را]L[ «]L[Hotel (5G)!]L[»]A[شبکهٔ ]']);
  });

  test('Persian digits are handed to the font turned, because it turns them back', () => {
    expect(inOrder('تا ۱٬۲۳۴ بار')).toEqual(['A[بار]L[ ]A[۴۳۲٬۱]A[تا ]']);
  });

  test('a long text is cut in few steps: each of them measures all of its words', async () => {
    const { files } = await loadPrintFonts();
    const document = new PDFDocument({ autoFirstPage: false, font: null as unknown as string });
    document
      .registerFont('regular', files.other.regular)
      .registerFont('arabic-regular', files.arabic.regular);
    document.addPage();
    const measure = jest.spyOn(document, 'widthOfString');
    const text = loadGuestTexts('fa').get('stepEnter').concat(' ').repeat(25);
    const look = { font: 'regular', size: 10 } as const;
    makePdfText(document, 'rtl').draw(text, 0, 0, look, {
      width: 300,
      align: 'right',
      lineGap: 0,
      height: 60,
    });
    const words = text.split(' ').length;
    expect(measure.mock.calls.length).toBeGreaterThan(words);
    expect(measure.mock.calls.length).toBeLessThan(words * 100);
    document.destroy();
  });

  test('lines are broken in reading order', () => {
    expect(inOrder('یک دو\nسه', 3)).toEqual(['A[یک]', 'A[دو]', 'A[سه]']);
    expect(inOrder('آبپتثجچح', 3)).toEqual(['A[آبپ]', 'A[تثج]', 'A[چح]']);
  });
});
