import { createCanvas, loadImage } from '@napi-rs/canvas';
import { createServer, type AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { interpretEscpos, startReceiptPrinter } from '../../simulators/receiptPrinter.js';
import { guestLanguages } from '../../src/i18n/guestLanguages.js';
import { loadGuestTexts, type GuestLanguage } from '../../src/i18n/guestTexts.js';
import { makeEscposWriter, wrapText } from '../../src/printing/receipts/escpos.js';
import {
  checkPrinterHost,
  makeSendToPrinter,
  type PrinterTimeouts,
} from '../../src/printing/receipts/printerConnection.js';
import { toReceipt, toTestReceipt } from '../../src/printing/receipts/receipt.js';
import { toVoucherSlip, type SlipSite } from '../../src/printing/voucherSlip.js';
import { slipIn } from '../soak/printed/pieces.js';
import { readQrCode } from '../support/pdf.js';
import { forEachTest } from '../support/fixture.js';
import { someVoucher } from '../support/records.js';
import { makePrepareLogo } from '../../src/printing/printedLogo.js';
import type { SiteLogo } from '../../src/sites/logoTable.js';
import { redJpeg } from '../support/pictures.js';
import { until } from '../support/until.js';
import { joinWifi } from '../support/joinWifi.js';
import { closedWifi, openWifi } from '../support/wifiNetworks.js';

const slipOf = (values: Partial<SlipSite> = {}, language: GuestLanguage = 'de') =>
  toVoucherSlip(
    someVoucher({ code: '1234567890', name: '2026-11-14_Zimmer 12' }),
    {
      ...{ name: 'Gästehaus am See', slipText: 'Bis bald!', logo: undefined },
      network: openWifi('Gäste & Co'),
      ...values,
    },
    loadGuestTexts(language),
  );

/** What the simulated printer made of the bytes, as pixels. */
const draw = async (svg: string) => {
  const image = await loadImage(Buffer.from(svg));
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  return {
    ...readPixels(context.getImageData(0, 0, image.width, image.height)),
    png: canvas.toBuffer('image/png'),
  };
};
const readPixels = ({ data, width, height }: { data: Uint8ClampedArray; width: number; height: number }) => ({
  data,
  width,
  height,
});

test.each(['58mm', '80mm'] as const)(
  'a receipt of %s holds the code, and a QR code that joins the Wi-Fi',
  async (paper) => {
    const dots = paper === '58mm' ? 384 : 576;
    const [receipt, ...more] = interpretEscpos(await toReceipt(slipOf(), paper), dots);
    expect(more).toEqual([]);
    expect(receipt!.lines).toEqual(
      expect.arrayContaining([
        'Gästehaus am See',
        'WLAN: Gäste & Co',
        '12345-67890',
        'Bis bald!',
        'Zimmer 12',
      ]),
    );
    expect(receipt!.lines.every((line) => line.length <= dots / 12)).toBe(true);
    expect(readQrCode(await draw(receipt!.toSvg()))).toBe('WIFI:T:nopass;S:Gäste & Co;;');
  },
);

test.each(['58mm', '80mm'] as const)(
  'a receipt of %s has every character of the password, and a QR code that joins its Wi-Fi',
  async (paper) => {
    const [ssid, password] = ['W;'.repeat(16), ' ;:"\\ '.repeat(10) + 'xyz'];
    const dots = paper === '58mm' ? 384 : 576;
    const network = closedWifi(ssid, password);
    const [receipt] = interpretEscpos(await toReceipt(slipOf({ network }), paper), dots);
    expect(receipt!.lines.join('')).toContain(`WLAN-Passwort:${password}`);
    expect(joinWifi(readQrCode(await draw(receipt!.toSvg())))).toMatchObject({ type: 'WPA', ssid, password });
  },
);

const limited = { ...someVoucher(), down: 20_000, up: 5000, quotaMb: 1500 };
const plainSite = { name: 'Hotel', slipText: null, logo: undefined, network: undefined };

test('a receipt tells how fast and how much, in every language that printers have the letters of', async () => {
  for (const language of guestLanguages.filter((name) => !['fa', 'ru', 'sr'].includes(name))) {
    const slip = toVoucherSlip(limited, plainSite, loadGuestTexts(language));
    const [receipt] = interpretEscpos(await toReceipt(slip, '58mm'), 384);
    const text = receipt!.lines.join(' ');
    expect(text).not.toContain('?');
    expect(text).toMatch(/ 20 Mb(it\/s|\/s|ps) .* 5 Mb(it\/s|\/s|ps) .*: 1[.,]5 G[Bot]/);
  }
});

test.each(['fa', 'ru', 'sr'] as const)(
  'letters of %s, which no table of all printers has, are drawn on paper of either width',
  async (language) => {
    const slip = toVoucherSlip(limited, plainSite, loadGuestTexts(language));
    for (const [paper, dots] of [
      ['58mm', 384],
      ['80mm', 576],
    ] as const) {
      const [receipt] = interpretEscpos(await toReceipt(slip, paper), dots);
      // The rest is in Latin letters.
      expect(receipt!.lines).toEqual(['Hotel', slip.formattedCode, slip.name]);
      const { data, width, height } = await draw(receipt!.toSvg());
      const dark = Array.from({ length: height }, (_, y) =>
        Array.from({ length: width }, (_, x) => x).filter((x) => (data[(y * width + x) * 4] ?? 255) < 128),
      );
      const rows = dark.filter((row) => row.length > 0);
      // Label, code, time, uses, three limits and two steps at least, and nothing at the edge of the paper.
      expect(dark.filter((row, y) => row.length > 0 && dark[y - 1]?.length === 0).length).toBeGreaterThan(8);
      expect(Math.min(...rows.map(([first = 0]) => first))).toBeGreaterThan(0);
      expect(Math.max(...rows.map((row) => row.at(-1) ?? 0))).toBeLessThan(width - 1);
    }
  },
);

test('a receipt with the longest texts is complete on paper of either width, in every language', async () => {
  for (const language of guestLanguages) {
    // These are drawn, which takes its time.
    const isDrawn = ['fa', 'ru', 'sr'].includes(language);
    for (const filling of isDrawn ? (['own'] as const) : (['limited', 'longest', 'own'] as const))
      for (const [paper, dots] of [
        ['58mm', 384],
        ['80mm', 576],
      ] as const) {
        const slip = slipIn(language, filling);
        const [receipt, ...more] = interpretEscpos(await toReceipt(slip, paper), dots);
        expect(more).toEqual([]);
        const { lines } = receipt!;
        expect(lines.every((line) => line.length <= dots / 12)).toBe(true);
        expect(lines).toContain(slip.formattedCode);
        const text = lines.join('').replaceAll(/\s/g, '');
        // Latin letters, which all printers have. A name beside a Persian word is drawn with it.
        const parts = [...(language === 'fa' ? [] : [slip.network!.ssid]), slip.password!.text];
        if (!isDrawn) parts.push(slip.validity, slip.uses, ...slip.limits!.split('\n'));
        const missing = parts.filter((part) => !text.includes(part.replaceAll(/\s/g, '')));
        const hasUnknown = !isDrawn && text.includes('?');
        const expected = { language, filling, paper, text, missing: [], hasUnknown: false };
        expect({ language, filling, paper, text, missing, hasUnknown }).toEqual(expected);
      }
  }
});

test('Polish, French and Spanish letters are printed, and a mark explains itself for what has no letter', async () => {
  const name = 'Łódź é ñ € 山田 太郎 ☕ \u0007\u001B@x';
  const [receipt] = interpretEscpos(await toReceipt(slipOf({ name }, 'pl'), '80mm'), 576);
  expect(receipt!.lines).toContain('Łódź é ñ € […]  @x');
  expect(receipt!.lines).toContain('Kod dostępu');
  expect(receipt!.lines.join(' ')).toContain(loadGuestTexts('pl').get('missing'));
  expect(receipt!.lines.join(' ')).not.toContain('?');
});

test('letters that our fonts have and printers lack are drawn, whatever their script', async () => {
  const print = async (name: string) => {
    const [receipt] = interpretEscpos(await toReceipt(slipOf({ name }), '80mm'), 576);
    return { text: receipt!.lines.join(' '), drawn: receipt!.toSvg().length };
  };
  const [drawn, written] = [await print('Hotel Ștefan'), await print('Hotel Stefan')];
  expect(written.text).toContain('Hotel Stefan');
  expect(drawn.text).not.toMatch(/Hotel|[?…]/);
  expect(drawn.drawn).toBeGreaterThan(written.drawn + 1000);
});

test('a logo is printed in black and white, and a damaged one left out', async () => {
  const picture = new PNG({ width: 16, height: 4 });
  for (let at = 0; at < picture.data.length; at += 4) picture.data.set([0, 0, 90, 255], at);
  const image = PNG.sync.write(picture);
  const rectanglesOf = async (logo: SiteLogo) =>
    interpretEscpos(await toReceipt(slipOf({ logo: await makePrepareLogo()(logo) }), '80mm'), 576)[0]!
      .toSvg()
      .match(/width="1" height="1"/g)?.length ?? 0;
  expect(await rectanglesOf({ mediaType: 'image/png', image })).toBe(64);
  expect(await rectanglesOf({ mediaType: 'image/jpeg', image: redJpeg })).toBe(256);
  expect(await rectanglesOf({ mediaType: 'image/png', image: image.subarray(0, 30) })).toBe(0);
  expect(await rectanglesOf({ mediaType: 'image/jpeg', image: Buffer.from('ffd8ff', 'hex') })).toBe(0);
});

test('no picture holds a command that printers obey at once', () => {
  const writer = makeEscposWriter(48);
  writer.picture({ widthBytes: 4, height: 2, bits: Buffer.from('1004011410141005', 'hex') });
  const bytes = writer.toBytes();
  for (const command of ['1004', '1005', '1014']) expect(bytes.includes(command, 0, 'hex')).toBe(false);
});

test('a test receipt names the printer', async () => {
  const bytes = await toTestReceipt({ name: 'Empfang', paper: '58mm' }, loadGuestTexts('en'));
  expect(interpretEscpos(bytes, 384)[0]!.lines).toEqual([
    'Test print',
    'Empfang',
    'This printer is set up.',
    'ÄÖÜäöüß éèêç ñ¿ ąćęłńóśźż €',
  ]);
});

test('a blank that does not break keeps a number and its unit on one line, and is printed as a blank', () => {
  expect(wrapText('Valable 1\u00A0jour', 10)).toEqual(['Valable', '1\u00A0jour']);
  const writer = makeEscposWriter(32);
  writer.text('1\u202F000\u00A0Mo');
  expect(writer.toBytes().toString('latin1')).toContain('1 000 Mo\n');
});

test('text is broken between words, and words that are too long inside', () => {
  expect(wrapText('eins zwei drei\nvier', 9)).toEqual(['eins zwei', 'drei', 'vier']);
  expect(wrapText('a abcdefghijkl', 5)).toEqual(['a', 'abcde', 'fghij', 'kl']);
});

test('a printer has a name or an address of its own network', () => {
  const refused = [
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '168.63.129.16',
    'fe80::1',
    '::ffff:169.254.169.254',
  ];
  const invalid = [
    ...['a b', 'http://printer', 'printer/x', 'user@printer', '1.2.3', '300.1.1.1', 'x:9100', '', '-a'],
    ...['ä'.repeat(9), 'x\n'],
  ];
  const codeOf = (host: string): unknown => {
    try {
      checkPrinterHost(host);
      return 'allowed';
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  for (const host of refused) expect([host, codeOf(host)]).toEqual([host, 'printer-address-refused']);
  for (const host of invalid) expect([host, codeOf(host)]).toEqual([host, 'host-invalid']);
  const allowed = [
    '192.168.1.50',
    '10.0.0.9',
    '127.0.0.1',
    'fd00::5',
    'drucker.example.org',
    'printer-1',
    '8.8.8.8',
  ];
  for (const host of allowed) expect([host, codeOf(host)]).toEqual([host, 'allowed']);
});

describe('a connection', () => {
  const printer = forEachTest(startReceiptPrinter, 'stop');
  beforeEach(async () => {
    receipt = await toReceipt(slipOf(), '80mm');
  });
  /** So long that no test waits for them but where it says so. */
  const patient: PrinterTimeouts = {
    ...{ stepMs: 60_000, answerMs: 60_000, closeMs: 60_000, jobMs: 300_000, receiptMs: 0 },
  };
  const send = (receipts: readonly Uint8Array[], timeouts: Partial<PrinterTimeouts> = {}) =>
    makeSendToPrinter({ ...patient, ...timeouts })({ host: '127.0.0.1', port: printer.port }, receipts);
  let receipt: Buffer;

  test('carries several receipts, and the printer confirms them', async () => {
    expect(await send([receipt, receipt, receipt])).toBe('confirmed');
    expect(printer.receipts()).toHaveLength(3);
    expect(printer.connections().total).toBe(1);
  });

  test('may stay open on the side of the printer', async () => {
    printer.behave('print and stay');
    expect(await send([receipt], { closeMs: 100 })).toBe('confirmed');
    await until('the receipt', () => printer.receipts().length === 1);
  });

  test('to a printer that says nothing: receipts are sent, and not confirmed', async () => {
    printer.behave('print without answers');
    expect(await send([receipt, receipt], { answerMs: 100 })).toBe('sent');
    expect(printer.receipts()).toHaveLength(2);
  });

  test('to a printer that reads nothing: receipts are sent, and not confirmed', async () => {
    printer.behave('silence');
    expect(await send([receipt], { answerMs: 100, closeMs: 100 })).toBe('sent');
    expect(printer.receipts()).toHaveLength(0);
  });

  test.each([
    ['no paper', 'printer-no-paper'],
    ['cover open', 'printer-cover-open'],
    ['offline', 'printer-offline'],
    ['error', 'printer-offline'],
  ] as const)('to a printer with %s: nothing is sent', async (behaviour, code) => {
    printer.behave(behaviour);
    await expect(send([receipt])).rejects.toMatchObject({ code });
    expect(printer.receipts()).toHaveLength(0);
  });

  test('to a printer whose paper ends meanwhile: that is told', async () => {
    printer.behave('paper ends');
    await expect(send([receipt])).rejects.toMatchObject({ code: 'printer-no-paper' });
  });

  test('to a printer that answers no more: receipts are sent, and not confirmed', async () => {
    printer.behave('hang');
    expect(await send([receipt], { stepMs: 1000 })).toBe('sent');
  });

  test('that is closed at once is told', async () => {
    printer.behave('close');
    await expect(send([receipt])).rejects.toMatchObject({ code: 'printer-disconnected' });
  });

  test.each([
    ['of a receipt', { stepMs: 300 }],
    ['of all', { jobMs: 300 }],
  ])('to a printer that takes nothing ends at the deadline %s', async (_name, timeouts) => {
    printer.behave('silence');
    // More than the buffers of both sides hold.
    await expect(
      send([Buffer.alloc(64 * 1024 * 1024)], { answerMs: 100, ...timeouts }),
    ).rejects.toMatchObject({
      code: 'printer-silent',
    });
  });

  test('that breaks off is told', async () => {
    printer.behave('reset');
    await expect(send([receipt, Buffer.alloc(8 * 1024 * 1024)])).rejects.toMatchObject({
      code: 'printer-disconnected',
    });
  });

  test('that breaks off again and again is told each time, and ends nothing else', async () => {
    printer.behave('reset');
    const receipts = Array.from({ length: 50 }, () => Buffer.alloc(8 * 1024));
    for (let job = 0; job < 40; job += 1)
      await expect(send(receipts)).rejects.toMatchObject({ code: 'printer-disconnected' });
  });

  test('that is not accepted is told', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const refused = makeSendToPrinter()({ host: '127.0.0.1', port }, [receipt]);
    await expect(refused).rejects.toMatchObject({ code: 'printer-unreachable' });
  });
});
