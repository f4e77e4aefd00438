// FOLDER [KIND…]: slips, labels, receipts, e-mails and SMS in every language, as pages to look at.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createCanvas, ImageData, loadImage } from '@napi-rs/canvas';
import sharp from 'sharp';
import { composeVoucherEmail, withPictures } from '../../src/email/voucherEmail.js';
import { guestLanguageNames, guestLanguages } from '../../src/i18n/guestLanguages.js';
import { loadGuestTexts } from '../../src/i18n/guestTexts.js';
import { makePrepareLogo } from '../../src/printing/printedLogo.js';
import { labelSheets, rollPapers, slipPapers } from '../../src/printing/pdf/papers.js';
import { makeVoucherPdf, type PdfLayout } from '../../src/printing/pdf/voucherPdf.js';
import { toReceipt } from '../../src/printing/receipts/receipt.js';
import type { VoucherSlip } from '../../src/printing/voucherSlip.js';
import { countSmsParts } from '../../src/sms/smsLength.js';
import { composeVoucherSms } from '../../src/sms/voucherSms.js';
import { escapeHtml } from '../../src/email/escapeHtml.js';
import { interpretEscpos } from '../../simulators/receiptPrinter.js';
import { withPdf, type Pixels } from '../support/pdf.js';
import { fillings, slipsOf } from './printed/pieces.js';

// Everything that guests are handed, in every language, as pages to look at: a page for each kind of piece and filling.

const [folder, ...kinds] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder shall the pages be written to?');
await mkdir(folder, { recursive: true });
/** Is a kind asked for? All are where none is named. */
const isWanted = (kind: string): boolean => kinds.length === 0 || kinds.some((part) => kind.startsWith(part));

interface Figure {
  readonly title: string;
  readonly html: string;
}

const writePage = async (name: string, figures: readonly Figure[]): Promise<void> => {
  const shown = figures.map(
    ({ title, html }) => `<figure><figcaption>${escapeHtml(title)}</figcaption>${html}</figure>`,
  );
  const style =
    'body{margin:8px;background:#ccc;font:14px sans-serif;display:flex;flex-wrap:wrap;gap:8px;align-items:start}figure{margin:0}img,svg,iframe,pre{display:block;background:#fff;border:0;margin:0}pre{width:360px;padding:8px;white-space:pre-wrap;overflow-wrap:anywhere}';
  await writeFile(
    join(folder, `${name}.html`),
    `<!doctype html><meta charset="utf-8"><title>${name}</title><style>${style}</style>\n${shown.join('\n')}\n`,
  );
  console.log(`${name}.html`);
};

const toImage = ({ data, width, height }: Pixels, scale: number): string => {
  const canvas = createCanvas(width, height);
  canvas.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  return `<img src="${canvas.toDataURL('image/png')}" width="${String(Math.round(width / scale))}">`;
};

/** Pixels for a point. */
const scale = 2;

const drawPdf = async (slips: readonly VoucherSlip[], layout: PdfLayout): Promise<Figure[]> => {
  const file = await buffer(await makeVoucherPdf(slips, layout, new Date()));
  return withPdf(file, async (pages) => {
    const figures: Figure[] = [];
    for (const [index, page] of pages.entries()) {
      const title = pages.length === slips.length ? guestLanguages[index] : `page ${String(index + 1)}`;
      figures.push({ title: title ?? '', html: toImage(await page.draw(undefined, scale), scale) });
    }
    return figures;
  });
};

const keysOf = <T extends object>(papers: T): (keyof T)[] => Object.keys(papers) as (keyof T)[];
const layouts: readonly (readonly [name: string, layout: PdfLayout])[] = [
  ...keysOf(slipPapers).map((paper) => [`slip-${paper}`, { kind: 'slip', paper }] as const),
  ...keysOf(labelSheets).map(
    (paper) => [`labels-${paper}`, { kind: 'labels', paper, firstLabel: 1 }] as const,
  ),
  ...keysOf(rollPapers).map((paper) => [`roll-${paper}`, { kind: 'receipt', paper }] as const),
  ...(
    [
      [2, 5],
      [3, 10],
    ] as const
  ).map(
    ([columns, rows]) =>
      [
        `sheet-${String(columns)}x${String(rows)}`,
        { kind: 'sheet', paper: 'a4', columns, rows, hasCutMarks: true },
      ] as const,
  ),
];

const picture = await sharp({ create: { width: 600, height: 200, channels: 3, background: '#336699' } })
  .png()
  .toBuffer();
const logo = await makePrepareLogo()({ image: picture, mediaType: 'image/png' });

for (const filling of fillings) {
  const slips = slipsOf(filling, logo);
  for (const [name, layout] of layouts.filter(([kind]) => isWanted(kind)))
    await writePage(`${name}-${filling}`, await drawPdf(slips, layout));
  for (const [paper, dots] of [
    ['58mm', 384],
    ['80mm', 576],
  ] as const) {
    if (!isWanted(`receipt-${paper}`)) continue;
    const figures: Figure[] = [];
    for (const [index, slip] of slips.entries()) {
      const [receipt] = interpretEscpos(await toReceipt(slip, paper), dots);
      // As a picture: a browser takes long to draw every dot of a letter as a shape.
      const image = await loadImage(Buffer.from(receipt?.toSvg() ?? ''));
      const canvas = createCanvas(image.width / 2, image.height / 2);
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      figures.push({
        title: guestLanguages[index] ?? '',
        html: `<img src="${canvas.toDataURL('image/png')}">`,
      });
    }
    await writePage(`receipt-${paper}-${filling}`, figures);
  }
  if (!['email', 'sms'].some(isWanted)) continue;
  const emails = slips.map((slip, index) => {
    const language = guestLanguages[index] ?? 'en';
    return { language, slip, email: composeVoucherEmail(slip, loadGuestTexts(language)) };
  });
  for (const [name, width, height] of [
    ['phone', 360, 1000],
    ['desktop', 900, 800],
  ] as const)
    await writePage(
      `email-${name}-${filling}`,
      emails.map(({ language, email }) => ({
        title: `${guestLanguageNames[language]}: ${email.subject}`,
        html: `<iframe width="${String(width)}" height="${String(height)}" srcdoc="${escapeHtml(withPictures(email))}"></iframe>`,
      })),
    );
  await writePage(
    `email-text-${filling}`,
    emails.map(({ language, email }) => ({
      title: language,
      html: `<pre dir="auto">${escapeHtml(`${email.subject}\n\n${email.text}`)}</pre>`,
    })),
  );
  await writePage(
    `sms-${filling}`,
    emails.map(({ language, slip }) => {
      const text = composeVoucherSms(slip);
      return {
        title: `${language}: ${String(countSmsParts(text))} parts`,
        html: `<pre dir="auto">${escapeHtml(text)}</pre>`,
      };
    }),
  );
}
