import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { makeVoucherPdf, type PdfLayout } from '../../src/printing/pdf/voucherPdf.js';
import { toVoucherSlip, type SlipSite } from '../../src/printing/voucherSlip.js';
import type { SiteLogo } from '../../src/sites/logoTable.js';
import { someVoucher } from '../support/records.js';
import { withPdf, type RenderedPage } from '../support/pdf.js';
import { joinWifi } from '../support/joinWifi.js';
import { closedWifi, openWifi } from '../support/wifiNetworks.js';
import { makePrepareLogo } from '../../src/printing/printedLogo.js';
import { redJpeg, redPng } from '../support/pictures.js';

const site: SlipSite = {
  ...{ name: 'Gästehaus am See', slipText: null, logo: undefined },
  network: openWifi('Gäste; "frei"'),
};
const joins = 'WIFI:T:nopass;S:Gäste\\; \\"frei\\";;';

const makeSlips = (count: number, values: Partial<SlipSite> = {}) =>
  Array.from({ length: count }, (_, index) =>
    toVoucherSlip(
      someVoucher({ code: String(1_234_500_000 + index) }),
      { ...site, ...values },
      loadGuestTexts('de'),
    ),
  );
const codeOf = (index: number): string => `12345-${String(index).padStart(5, '0')}`;

const render = async <T>(
  slips: ReturnType<typeof makeSlips>,
  layout: PdfLayout,
  look: (pages: readonly RenderedPage[]) => Promise<T> | T,
): Promise<T> => withPdf(await buffer(await makeVoucherPdf(slips, layout, new Date())), look);

const textOf = ({ texts }: RenderedPage): string => texts.join(' ');

const sheet = (
  columns: number,
  rows: number,
  paper: 'a4' | 'letter' = 'a4',
  hasCutMarks = true,
): PdfLayout => ({
  kind: 'sheet',
  paper,
  columns,
  rows,
  hasCutMarks,
});

const mm = 72 / 25.4;
const papers = [
  ['a slip on A4', { kind: 'slip', paper: 'a4' }, 210 * mm, 297 * mm],
  ['a slip on Letter', { kind: 'slip', paper: 'letter' }, 612, 792],
  ['a slip on A6', { kind: 'slip', paper: 'a6' }, 105 * mm, 148 * mm],
  ['a slip on A7', { kind: 'slip', paper: 'a7' }, 74 * mm, 105 * mm],
  ['a credit card', { kind: 'slip', paper: 'card' }, 85.6 * mm, 53.98 * mm],
  ['a receipt of 58 mm', { kind: 'receipt', paper: '58mm' }, 58 * mm, undefined],
  ['a receipt of 62 mm', { kind: 'receipt', paper: '62mm' }, 62 * mm, undefined],
  ['a receipt of 80 mm', { kind: 'receipt', paper: '80mm' }, 80 * mm, undefined],
] as const satisfies readonly (readonly [string, PdfLayout, number, number | undefined])[];

test.each(papers)(
  '%s has a page for each voucher, with its code, and a QR code that joins the Wi-Fi',
  async (_name, layout, width, height) => {
    await render(makeSlips(2, { slipText: 'Frühstück ab 7.' }), layout, async (pages) => {
      expect(pages).toHaveLength(2);
      for (const [index, page] of pages.entries()) {
        expect(page.width).toBeCloseTo(width, 0);
        if (height !== undefined) expect(page.height).toBeCloseTo(height, 0);
        for (const text of ['Gästehaus am See', codeOf(index), 'Frühstück ab 7.', 'WLAN: Gäste; "frei"'])
          expect(page.texts).toContain(text);
        expect(textOf(page)).toContain('Gültig für 8 Stunden ab der ersten Anmeldung');
        expect(await page.readQr(undefined, layout.kind === 'slip' ? 1 : 2)).toBe(joins);
      }
    });
  },
);

test.each([
  [1, 1, 'a4'],
  [1, 10, 'letter'],
  [2, 5, 'letter'],
  [3, 1, 'a4'],
  [3, 10, 'a4'],
] as const)(
  'a sheet of %i × %i on %s has each code in its own cell, and its QR code',
  async (columns, rows, paper) => {
    const count = columns * rows;
    await render(makeSlips(count + 1), sheet(columns, rows, paper), async (pages) => {
      expect(pages).toHaveLength(2);
      const page = pages[0]!;
      expect(page.texts.filter((text) => text.startsWith('12345-'))).toEqual(
        Array.from({ length: count }, (_, index) => codeOf(index)),
      );
      const margin = 10 * mm;
      const width = (page.width - 2 * margin) / columns;
      const height = (page.height - 2 * margin) / rows;
      for (const index of new Set([0, count - 1])) {
        const x = margin + (index % columns) * width;
        const y = margin + Math.floor(index / columns) * height;
        expect(await page.readQr({ x, y, width, height })).toBe(joins);
      }
    });
  },
);

test.each([
  ['avery-l7160', 21, 7.21, 15.15, 63.5, 38.1, 139.29, 243.75],
  ['avery-l7163', 14, 4.65, 15.15, 99.1, 38.1, 106.25, 243.75],
  ['avery-3652', 21, 0, 0.45, 70, 42.3, 140, 254.25],
  ['avery-c32015', 8, 17, 31.5, 85, 54, 108, 211.5],
  ['avery-5160', 30, 4.76, 12.7, 66.68, 25.4, 144.46, 241.3],
  ['avery-5163', 10, 3.97, 12.7, 101.6, 50.8, 110.33, 215.9],
] as const)(
  'labels of %s: the longest Wi-Fi and the code stand complete on the last and on the first label',
  async (paper, count, left, top, width, height, lastLeft, lastTop) => {
    const [ssid, password] = ['W'.repeat(32), 'W'.repeat(63)];
    const network = closedWifi(ssid, password);
    const slips = makeSlips(2, { network, slipText: 'Bis bald! '.repeat(20) });
    await render(slips, { kind: 'labels', paper, firstLabel: count }, async (pages) => {
      expect(pages).toHaveLength(2);
      for (const [index, page] of pages.entries()) {
        const text = page.texts.join('').replaceAll(' ', '');
        for (const whole of [`Passwort:${password}`, `WLAN:${ssid}`, codeOf(index)])
          expect(text.split(whole)).toHaveLength(2);
        const [x, y] = index === 0 ? [lastLeft, lastTop] : [left, top];
        const label = { x: x * mm, y: y * mm, width: width * mm, height: height * mm };
        expect(joinWifi(await page.readQr(label))).toMatchObject({ ssid, password });
        // Around a label nothing is printed, so nothing of a slip is cut off.
        const { data, width: columns, height: rows } = await page.draw(undefined, 2);
        const [from, to] = [x + 1, x + width - 1].map((at) => Math.floor(at * mm * 2)) as [number, number];
        const [first, last] = [y + 1, y + height - 1].map((at) => Math.floor(at * mm * 2)) as [
          number,
          number,
        ];
        const outside: string[] = [];
        for (let row = 0; row < rows; row += 1)
          for (let column = 0; column < columns; column += 1) {
            const isInside = column > from && column < to && row > first && row < last;
            if (!isInside && (data[(row * columns + column) * 4] ?? 255) < 200)
              outside.push(`${column}, ${row}`);
          }
        expect(outside).toEqual([]);
      }
    });
  },
);

test('on a sheet of labels that was used before, the first slip is on the first free label', async () => {
  const layout = { kind: 'labels', paper: 'avery-l7160', firstLabel: 20 } as const;
  await render(makeSlips(3), layout, async (pages) => {
    expect(pages.map(({ texts }) => texts.filter((text) => text.startsWith('12345-')).length)).toEqual([
      2, 1,
    ]);
    const label = { x: (7.21 + 66.04) * mm, y: (15.15 + 6 * 38.1) * mm, width: 63.5 * mm, height: 38.1 * mm };
    expect(await pages[0]!.readQr(label)).toBe(joins);
  });
});

test('a guest reads the name that was typed, and none where nothing was', async () => {
  const slipOf = (name: string) => toVoucherSlip(someVoucher({ name }), site, loadGuestTexts('de'));
  const slips = [slipOf('2026-11-16_2027-01-01_Berger'), slipOf('2026-11-16_')];
  await render(slips, { kind: 'receipt', paper: '80mm' }, ([named, nameless]) => {
    expect(named!.texts).toContain('2027-01-01_Berger');
    expect(textOf(named!) + textOf(nameless!)).not.toContain('2026-11-16');
  });
});

test.each(papers.map(([name, layout]) => [name, layout] as const))(
  '%s tells how fast and how much',
  (_name, layout) => {
    const voucher = { ...someVoucher(), down: 20_000, up: 5000, quotaMb: 1000 };
    const slip = toVoucherSlip(voucher, site, loadGuestTexts('de'));
    return render([slip], layout, ([page]) => {
      for (const limit of ['Download bis 20 Mbit/s', 'Upload bis 5 Mbit/s', 'Datenvolumen: 1 GB'])
        expect(textOf(page!).replaceAll('\u00A0', ' ')).toContain(limit);
    });
  },
);

describe('a small slip', () => {
  /** The longest that there is. */
  const ssid = 'W'.repeat(31) + 'M';
  const password = 'W'.repeat(62) + 'M';
  const network = closedWifi(ssid, password);
  const slipText = 'Frühstück ab 7 Uhr im Wintergarten. '.repeat(5);
  /** A text that is wrapped has no blanks at the ends of its lines. */
  const unwrapped = (page: RenderedPage): string => page.texts.join('').replaceAll(' ', '');

  test.each([
    [3, 10],
    [2, 10],
    [3, 7],
  ])(
    '%i × %i: code, Wi-Fi name and password are whole, and a long site name ends in an ellipsis',
    async (...grid) => {
      const name = 'Gästehaus '.repeat(20);
      await render(makeSlips(1, { network, slipText, name }), sheet(...grid), ([page]) => {
        const text = unwrapped(page!);
        for (const whole of [`WLAN:${ssid}`, `WLAN-Passwort:${password}`, codeOf(0)])
          expect(text).toContain(whole);
      });
      await render(makeSlips(1, { slipText, name }), sheet(...grid), ([page]) =>
        expect(page!.texts[0]).toMatch(/^Gästehaus.*…$/),
      );
    },
  );

  test('is filled with what there is room for: instructions and name before the text of the site', async () => {
    await render(makeSlips(1, { slipText }), sheet(3, 5), ([page]) => {
      const text = unwrapped(page!);
      for (const part of ['FüreineAnmeldung', '2.DenCode', 'FamilieBerger']) expect(text).toContain(part);
    });
    await render(makeSlips(1, { slipText }), sheet(2, 5), ([page]) =>
      expect(unwrapped(page!)).toContain('Frühstückab7Uhr'),
    );
  });
});

test('cut marks are there when they are asked for', async () => {
  const hasMarks = (hasCutMarks: boolean) =>
    render(makeSlips(1), sheet(2, 5, 'a4', hasCutMarks), async ([page]) => {
      // The margin above the first slip is white but for them.
      const { data } = await page!.draw({ x: 0, y: 0, width: page!.width, height: 8 * mm });
      return data.some((value) => value < 200);
    });
  expect([await hasMarks(true), await hasMarks(false)]).toEqual([true, false]);
});

test('without a Wi-Fi the QR code holds the code', async () => {
  await render(makeSlips(1, { network: undefined }), { kind: 'receipt', paper: '80mm' }, async ([page]) => {
    expect(await page!.readQr()).toBe('1234500000');
    expect(textOf(page!)).not.toContain('WLAN:');
  });
});

test('100 vouchers are one PDF with all codes', async () => {
  await render(makeSlips(100), sheet(3, 10), (pages) => {
    expect(pages).toHaveLength(4);
    const codes = pages.flatMap(({ texts }) => texts.filter((text) => text.startsWith('12345-')));
    expect(codes).toEqual(Array.from({ length: 100 }, (_, index) => codeOf(index)));
  });
});

describe('hostile content', () => {
  const texts = [
    ['nothing but emoji', '🏨🔑👩‍👩‍👧'],
    ['right to left', 'שלום עולם مرحبا'],
    ['characters without a shape', '中文 ⁂ \u{10FFFF}'],
    ['control characters', 'a\u0000b\u0007c\u202Ed\u200B'],
    ['half of a pair', 'a\uD800b'],
    ['combining marks', `e${'\u0301'.repeat(200)}`],
    ['PDF', ') Tj ET endstream endobj (\\'],
    ['a word without an end', 'w'.repeat(1000)],
    ['many lines', 'x\n'.repeat(500)],
  ] as const;

  test('the PDF can be read, and holds codes and QR codes', async () => {
    const slips = texts.map(([, text], index) =>
      toVoucherSlip(
        someVoucher({ code: String(1_234_500_000 + index), name: text }),
        { name: text, network: openWifi(`Netz ${index}`), slipText: text, logo: undefined },
        loadGuestTexts('pl'),
      ),
    );
    const expected = texts.map(([name], index) => [name, true, `WIFI:T:nopass;S:Netz ${index};;`]);
    await render(slips, { kind: 'receipt', paper: '58mm' }, async (pages) => {
      expect(pages).toHaveLength(texts.length);
      const area = { x: 0, y: 0, width: 270, height: 250 };
      const got = texts.map(async ([name], index) => {
        const page = pages[index]!;
        return [name, page.texts.includes(codeOf(index)), await page.readQr(area)];
      });
      expect(await Promise.all(got)).toEqual(expected);
    });
    await render(slips, sheet(3, 10), async (pages) => {
      expect(pages).toHaveLength(1);
      const page = pages[0]!;
      const [margin, width, height] = [10 * mm, (page.width - 20 * mm) / 3, (page.height - 20 * mm) / 10];
      const got = texts.map(async ([name], index) => {
        const [x, y] = [margin + (index % 3) * width, margin + Math.floor(index / 3) * height];
        return [name, page.texts.includes(codeOf(index)), await page.readQr({ x, y, width, height })];
      });
      expect(await Promise.all(got)).toEqual(expected);
    });
  });

  test('the narrow blanks of French numbers are blanks', async () => {
    const voucher = { ...someVoucher({ maxUses: 12_000 }), quotaMb: 1500 };
    const slip = toVoucherSlip(voucher, site, loadGuestTexts('fr'));
    await render([slip], { kind: 'slip', paper: 'a4' }, ([page]) => {
      expect(textOf(page!)).not.toContain('?');
      expect(textOf(page!)).toMatch(/Pour 12\s000 connexions.*1,5\sGo/);
    });
  });

  test('letters without a shape are one mark, which the slip explains, and nothing of the PDF', async () => {
    await render(makeSlips(1, { name: 'Café 山田 太郎 ☕ (1)' }), { kind: 'slip', paper: 'a4' }, ([page]) => {
      expect(textOf(page!)).toMatch(/Café \[…\] +\(1\)/);
      expect(textOf(page!)).toContain(loadGuestTexts('de').get('missing'));
      expect(textOf(page!)).not.toContain('?');
    });
    await render(makeSlips(1, { name: 'Café ☕ (1)' }), { kind: 'slip', paper: 'a4' }, ([page]) =>
      expect(textOf(page!)).not.toContain('[…]'),
    );
  });

  test('a code of any length stays inside', async () => {
    const slip = toVoucherSlip(someVoucher({ code: '1'.repeat(100) }), site, loadGuestTexts('en'));
    await render([slip], sheet(3, 10), (pages) => expect(pages).toHaveLength(1));
  });
});

describe('a logo', () => {
  const isRed = async (page: RenderedPage): Promise<boolean> => {
    const { data } = await page.draw(undefined, 1);
    for (let at = 0; at < data.length; at += 4)
      if (data[at]! > 200 && data[at + 1]! < 60 && data[at + 2]! < 60) return true;
    return false;
  };
  const whole = redPng(60, 20);
  const half = PNG.sync.read(whole);
  half.data.fill(0, 0, half.data.length / 2);
  const png = (image: Buffer): SiteLogo => ({ mediaType: 'image/png', image });
  const findRed = async (stored: SiteLogo) => {
    const logo = await makePrepareLogo()(stored);
    return render(makeSlips(2, { logo }), { kind: 'receipt', paper: '80mm' }, (pages) => {
      expect(pages[0]!.texts).toContain(codeOf(0));
      return Promise.all(pages.map(isRed));
    });
  };

  test.each([
    ['of PNG', png(whole)],
    ['of PNG that is half transparent', png(PNG.sync.write(half))],
    ['of JPEG', { mediaType: 'image/jpeg', image: redJpeg }],
  ] as const)('%s is printed on each slip', async (_name, logo) => {
    expect(await findRed(logo)).toEqual([true, true]);
  });

  const broken = Buffer.from(whole);
  broken.fill(0xff, broken.length - 40, broken.length - 20);
  const endless = Buffer.from(whole);
  // A chunk whose length is negative where it is read as a signed number.
  endless.writeUInt32BE(0xfffffff4, 33);
  const huge = Buffer.from(whole);
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  test('that can not be decoded is left out', async () => {
    const damaged: [string, SiteLogo][] = [
      ['a damaged PNG', png(broken)],
      ['a PNG with chunks without an end', png(endless)],
      ['a PNG that ends early', png(whole.subarray(0, 40))],
      ['nothing but a signature', png(whole.subarray(0, 8))],
      ['a PNG of 3,600 megapixels', png(huge)],
      ['a damaged JPEG', { mediaType: 'image/jpeg', image: Buffer.from('ffd8ff', 'hex') }],
      [
        'a JPEG without size',
        { mediaType: 'image/jpeg', image: Buffer.from('ffd8ffc0000b0800000000011100', 'hex') },
      ],
    ];
    const prepare = makePrepareLogo();
    for (const [name, logo] of damaged)
      expect({ name, printed: await prepare(logo) }).toEqual({ name, printed: undefined });
    expect(await findRed(png(broken))).toEqual([false, false]);
  });
});
