import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { guestLanguages, type GuestLanguage } from '../../src/i18n/guestLanguages.js';
import { loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { layOutLines } from '../../src/printing/bidiText.js';
import { makeVoucherPdf, type PdfLayout } from '../../src/printing/pdf/voucherPdf.js';
import { toVoucherSlip, type VoucherSlip } from '../../src/printing/voucherSlip.js';
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

/** The smallest paper of each kind, and what has to be on it whatever the language. */
const papers = [
  ['a slip on A7', { kind: 'slip', paper: 'a7' }, ['validity', 'uses', 'steps']],
  ['a credit card', { kind: 'slip', paper: 'card' }, ['validity', 'uses', 'steps']],
  ['a label of 38 mm', { kind: 'labels', paper: 'avery-l7160', firstLabel: 1 }, ['validity', 'uses']],
  [
    'a sheet',
    { kind: 'sheet', paper: 'a4', columns: 2, rows: 5, hasCutMarks: false },
    ['validity', 'uses', 'steps'],
  ],
  ['a roll of 58 mm', { kind: 'receipt', paper: '58mm' }, ['codeLabel', 'validity', 'uses', 'steps']],
] as const satisfies readonly (readonly [string, PdfLayout, readonly (keyof VoucherSlip)[]])[];

const squeeze = (text: string): string => text.replaceAll(/\s/g, '');

test.each(papers)('%s has room for the texts of every language', async (_name, layout, parts) => {
  for (const language of guestLanguages.filter((name) => name !== 'fa')) {
    // Days, hours and minutes are too long for labels.
    const slip = slipIn(language, layout.kind === 'labels' ? 1440 : undefined);
    const file = await buffer(await makeVoucherPdf([slip], layout, new Date()));
    await withPdf(file, (pages) => {
      const printed = squeeze(pages.flatMap(({ texts }) => texts).join(''));
      for (const part of parts)
        expect([language, printed]).toEqual([language, expect.stringContaining(squeeze(slip[part]))]);
      expect(printed).toContain('Sommer;2026!(Löwe)');
      expect(printed).toContain('12345-67890');
      expect(printed).not.toContain('?');
    });
  }
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

  test('lines are broken in reading order', () => {
    expect(inOrder('یک دو\nسه', 3)).toEqual(['A[یک]', 'A[دو]', 'A[سه]']);
    expect(inOrder('آبپتثجچح', 3)).toEqual(['A[آبپ]', 'A[تثج]', 'A[چح]']);
  });
});
