import { PNG } from 'pngjs';
import type { GuestTexts } from '../../guests/guestTexts.js';
import type { ReceiptPaper } from '../../storage/printers.js';
import type { SiteLogo } from '../../storage/siteLogos.js';
import type { VoucherSlip } from '../voucherSlip.js';
import { toPdfPicture } from '../pdf/logoPicture.js';
import { makeEscposWriter, type Raster } from './escpos.js';

/** Characters and dots on a line. */
const widths: Readonly<Record<ReceiptPaper, { readonly columns: number; readonly dots: number }>> = {
  '58mm': { columns: 32, dots: 384 },
  '80mm': { columns: 48, dots: 576 },
};

/** The bytes that print a voucher. */
export const toReceipt = (slip: VoucherSlip, paper: ReceiptPaper): Buffer => {
  const { columns, dots } = widths[paper];
  const writer = makeEscposWriter(columns);
  const logo = slip.logo && rasterOf(slip.logo, dots / 2);
  if (logo) writer.picture(logo);
  writer.text(slip.siteName, { isBold: true });
  if (slip.network) writer.text(`${slip.network.label}: ${slip.network.ssid}`);
  writer.blankLines(1);
  writer.qrCode(slip.qrText);
  writer.text(slip.codeLabel);
  writer.text(slip.formattedCode, { isBold: true, isLarge: true });
  writer.text(slip.validity);
  writer.text(slip.uses);
  writer.blankLines(1);
  for (const [index, step] of slip.steps.entries()) writer.text(`${String(index + 1)}. ${step}`);
  if (slip.slipText !== null) {
    writer.blankLines(1);
    writer.text(slip.slipText);
  }
  if (slip.name !== null) {
    writer.blankLines(1);
    writer.text(slip.name);
  }
  writer.cut();
  return writer.toBytes();
};

/** A receipt without a voucher. */
export const toTestReceipt = (printer: { name: string; paper: ReceiptPaper }, texts: GuestTexts): Buffer => {
  const writer = makeEscposWriter(widths[printer.paper].columns);
  writer.text(texts.get('test'), { isBold: true, isLarge: true });
  writer.blankLines(1);
  writer.text(printer.name, { isBold: true });
  writer.text(texts.get('testText'));
  // What guests of other languages will read.
  writer.text('ÄÖÜäöüß éèêç ñ¿ ąćęłńóśźż €');
  writer.qrCode(printer.name);
  writer.cut();
  return writer.toBytes();
};

const rasters = new WeakMap<SiteLogo, Map<number, Raster | undefined>>();

/** All receipts of a site share a logo. */
const rasterOf = (logo: SiteLogo, maxWidth: number): Raster | undefined => {
  const known = rasters.get(logo) ?? new Map<number, Raster | undefined>();
  rasters.set(logo, known);
  if (!known.has(maxWidth)) known.set(maxWidth, toRaster(logo, maxWidth));
  return known.get(maxWidth);
};

/** A PNG in black and white, at most so many dots wide. Other pictures, and damaged ones, are left out. */
const toRaster = (logo: SiteLogo, maxWidth: number): Raster | undefined => {
  const file = logo.mediaType === 'image/png' ? toPdfPicture(logo) : undefined;
  if (!file) return undefined;
  const picture = PNG.sync.read(file);
  const scale = Math.min(1, maxWidth / picture.width, maxHeight / picture.height);
  const width = Math.max(1, Math.floor(picture.width * scale));
  const height = Math.max(1, Math.floor(picture.height * scale));
  const widthBytes = Math.ceil(width / 8);
  const bits = Buffer.alloc(widthBytes * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (Math.floor(y / scale) * picture.width + Math.floor(x / scale)) * 4;
      const [red = 0, green = 0, blue = 0, alpha = 0] = picture.data.subarray(at, at + 4);
      // As it looks on white paper.
      const brightness = 255 - ((255 - (red * 0.3 + green * 0.59 + blue * 0.11)) * alpha) / 255;
      if (brightness < 128) {
        const byte = y * widthBytes + (x >> 3);
        bits[byte] = (bits[byte] ?? 0) | (0x80 >> (x & 7));
      }
    }
  return { widthBytes, height, bits };
};

const maxHeight = 160;
