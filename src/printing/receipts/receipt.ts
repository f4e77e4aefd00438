import type { GuestTexts } from '../../i18n/guestTexts.js';
import type { GreyPicture } from '../../lib/picture.js';
import type { ReceiptPaper } from '../printerTable.js';
import type { VoucherSlip } from '../voucherSlip.js';
import { makeEscposWriter, type Raster } from './escpos.js';

/** Characters on a line. */
const columnsOf: Readonly<Record<ReceiptPaper, number>> = { '58mm': 32, '80mm': 48 };

/** The bytes that print a voucher. */
export const toReceipt = (slip: VoucherSlip, paper: ReceiptPaper): Buffer => {
  const writer = makeEscposWriter(columnsOf[paper]);
  if (slip.logo) writer.picture(toRaster(slip.logo.grey[paper]));
  writer.text(slip.heading, { isBold: true });
  if (slip.network) writer.text(`${slip.network.label}: ${slip.network.ssid}`);
  if (slip.password) {
    writer.text(`${slip.password.label}:`);
    writer.verbatim(slip.password.text);
  }
  writer.blankLines(1);
  writer.qrCode(slip.qrText);
  writer.text(slip.codeLabel);
  writer.text(slip.formattedCode, { isBold: true, isLarge: true });
  writer.text(slip.validity);
  writer.text(slip.uses);
  if (slip.limits !== null) writer.text(slip.limits);
  if (slip.steps !== '') {
    writer.blankLines(1);
    writer.text(slip.steps);
  }
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
  const writer = makeEscposWriter(columnsOf[printer.paper]);
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

/** A picture in black and white. */
const toRaster = ({ width, height, pixels }: GreyPicture): Raster => {
  const widthBytes = Math.ceil(width / 8);
  const bits = Buffer.alloc(widthBytes * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if ((pixels[y * width + x] ?? 255) < 128) {
        const byte = y * widthBytes + (x >> 3);
        bits[byte] = (bits[byte] ?? 0) | (0x80 >> (x & 7));
      }
  return { widthBytes, height, bits };
};
