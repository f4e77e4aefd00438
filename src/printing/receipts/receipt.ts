import type { GuestTexts } from '../../i18n/guestTexts.js';
import type { ReceiptPaper } from '../printerTable.js';
import { labelled, type VoucherSlip } from '../voucherSlip.js';
import type { TextDirection } from '../../i18n/guestLanguages.js';
import { makeEscposWriter, needsPicture, toRaster, type EscposWriter } from './escpos.js';

/** Characters on a line. */
const columnsOf: Readonly<Record<ReceiptPaper, number>> = { '58mm': 32, '80mm': 48 };

/** Dots for a character of the printer. */
const dotsPerColumn = 12;

type WriteText = (
  text: string,
  style?: { readonly isBold?: boolean; readonly isLarge?: boolean },
) => Promise<void>;

/** Writes texts with the letters of the printer where it has all of them, and as pictures else. */
const makeWriteText =
  (writer: EscposWriter, paper: ReceiptPaper, direction: TextDirection): WriteText =>
  async (text, style = {}) => {
    if (!needsPicture(text)) {
      writer.text(text, style);
      return;
    }
    // Loaded when it is used: most receipts need no font of ours.
    const { drawText } = await import('./textPicture.js');
    const widthDots = columnsOf[paper] * dotsPerColumn;
    const weight = style.isBold === true ? 'bold' : 'regular';
    writer.pictureLines(await drawText(text, { widthDots, weight, direction }));
  };

/** The bytes that print a voucher. */
export const toReceipt = async (slip: VoucherSlip, paper: ReceiptPaper): Promise<Buffer> => {
  const writer = makeEscposWriter(columnsOf[paper]);
  const write = makeWriteText(writer, paper, slip.direction);
  if (slip.logo) writer.picture(toRaster(slip.logo.grey[paper]));
  await write(slip.heading, { isBold: true });
  if (slip.network) await write(labelled(slip, slip.network.label, slip.network.ssid));
  if (slip.password) {
    await write(`${slip.password.label}${slip.colon}`);
    writer.verbatim(slip.password.text);
  }
  writer.blankLines(1);
  writer.qrCode(slip.qrText);
  await write(slip.codeLabel);
  await write(slip.formattedCode, { isBold: true, isLarge: true });
  if (slip.validity !== '') await write(slip.validity);
  await write(slip.uses);
  if (slip.limits !== null) await write(slip.limits);
  if (slip.steps !== '') {
    writer.blankLines(1);
    await write(slip.steps);
  }
  if (slip.slipText !== null) {
    writer.blankLines(1);
    await write(slip.slipText);
  }
  if (slip.name !== null) {
    writer.blankLines(1);
    await write(slip.name);
  }
  if (slip.missingNote !== null) await write(slip.missingNote);
  writer.cut();
  return writer.toBytes();
};

/** A receipt without a voucher. */
export const toTestReceipt = async (
  printer: { readonly name: string; readonly paper: ReceiptPaper },
  texts: GuestTexts,
): Promise<Buffer> => {
  const writer = makeEscposWriter(columnsOf[printer.paper]);
  const write = makeWriteText(writer, printer.paper, texts.direction);
  await write(texts.get('test'), { isBold: true, isLarge: true });
  writer.blankLines(1);
  await write(printer.name, { isBold: true });
  await write(texts.get('testText'));
  // What guests of other languages will read.
  writer.text('ÄÖÜäöüß éèêç ñ¿ ąćęłńóśźż €');
  await write('Добро пожаловать · خوش آمدید');
  writer.qrCode(printer.name);
  writer.cut();
  return writer.toBytes();
};
