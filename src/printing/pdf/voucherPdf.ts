import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { encodeQr, type QrSquares } from '../qrCode.js';
import type { VoucherSlip } from '../voucherSlip.js';
import { loadPrintFonts, type PrintFonts } from './fonts.js';
import { drawSlip, makeRollSlip, type PreparedSlip } from './slipLayout.js';
import { limitConcurrencyByKey } from '../../lib/concurrency.js';

type Document = InstanceType<typeof PDFDocument>;

/** How slips are arranged on paper. How a slip itself is laid out is in `slipLayout.ts`. */
export type PdfLayout =
  | { readonly kind: 'slip'; readonly paper: SheetPaper }
  | {
      readonly kind: 'sheet';
      readonly paper: SheetPaper;
      readonly columns: number;
      readonly rows: number;
      readonly hasCutMarks: boolean;
    }
  | { readonly kind: 'receipt'; readonly paper: RollPaper };
export type SheetPaper = 'a4' | 'letter';
export type RollPaper = '58mm' | '80mm';

const mm = 72 / 25.4;
const sheetSizes: Readonly<Record<SheetPaper, readonly [number, number]>> = {
  a4: [210 * mm, 297 * mm],
  letter: [612, 792],
};
/** Width of the roll, and of what printers can print of it. */
const rollWidths: Readonly<Record<RollPaper, readonly [number, number]>> = {
  '58mm': [58 * mm, 48 * mm],
  '80mm': [80 * mm, 72 * mm],
};

/** Office printers leave the outermost millimetres of a sheet white. */
const sheetMargin = 10 * mm;
/** From where the sheet is cut to what is printed. */
const cutDistance = 3 * mm;

/** Drawing keeps a processor busy, so one PDF after the other is drawn. */
const drawInTurn = limitConcurrencyByKey(1);

/** Slips as a PDF, which is drawn while it is read. */
export const makeVoucherPdf = async (
  slips: readonly VoucherSlip[],
  layout: PdfLayout,
  at: Date,
): Promise<Readable> => {
  const fonts = await loadPrintFonts();
  const document = new PDFDocument({
    autoFirstPage: false,
    // Without pdfkit's own fonts, which have few characters.
    font: null as unknown as string,
    margin: 0,
    info: { Title: 'Vouchers', Creator: 'voucherd', Producer: 'voucherd', CreationDate: at },
  });
  document.registerFont('regular', fonts.regular);
  document.registerFont('bold', fonts.bold);
  const prepare = makePrepare(document, fonts);
  const draw = drawers[layout.kind] as (document: Document, layout: PdfLayout) => DrawNext;
  const drawNext = draw(document, layout);
  const drawAll = async (): Promise<void> => {
    for (const [index, slip] of slips.entries()) {
      // The reader is gone.
      if (document.destroyed) return;
      drawNext(prepare(slip), index);
      // Lets other requests run between two slips.
      await nextTurn();
    }
    document.end();
  };
  drawInTurn('pdf', drawAll).catch((error: unknown) =>
    document.destroy(error instanceof Error ? error : undefined),
  );
  return document;
};

/** Draws a slip where it belongs. */
type DrawNext = (slip: PreparedSlip, index: number) => void;

const drawers = {
  slip:
    (document: Document, { paper }: PdfLayout & { kind: 'slip' }): DrawNext =>
    (slip) => {
      const [width, height] = sheetSizes[paper];
      document.addPage({ size: [width, height], margin: 0 });
      const inner = 110 * mm;
      drawSlip(document, slip, {
        x: (width - inner) / 2,
        y: 2 * sheetMargin,
        width: inner,
        height: height - 4 * sheetMargin,
      });
    },
  sheet: (
    document: Document,
    { paper, columns, rows, hasCutMarks }: PdfLayout & { kind: 'sheet' },
  ): DrawNext => {
    const [width, height] = sheetSizes[paper];
    const cellWidth = (width - 2 * sheetMargin) / columns;
    const cellHeight = (height - 2 * sheetMargin) / rows;
    return (slip, index) => {
      const place = index % (columns * rows);
      if (place === 0) {
        document.addPage({ size: [width, height], margin: 0 });
        if (hasCutMarks) drawCutMarks(document, { cellWidth, cellHeight, columns, rows });
      }
      drawSlip(document, slip, {
        x: sheetMargin + (place % columns) * cellWidth + cutDistance,
        y: sheetMargin + Math.floor(place / columns) * cellHeight + cutDistance,
        width: cellWidth - 2 * cutDistance,
        height: cellHeight - 2 * cutDistance,
      });
    };
  },
  receipt:
    (document: Document, { paper }: PdfLayout & { kind: 'receipt' }): DrawNext =>
    (slip) => {
      const [width, inner] = rollWidths[paper];
      const margin = (width - inner) / 2;
      const receipt = makeRollSlip(document, slip, inner);
      document.addPage({ size: [width, receipt.height + 2 * margin], margin: 0 });
      receipt.draw(margin, margin);
    },
};

/** Lines in the margins, and crosses where four slips meet. */
const drawCutMarks = (
  document: Document,
  grid: { cellWidth: number; cellHeight: number; columns: number; rows: number },
): void => {
  const marks = { near: 2 * mm, far: 7 * mm, arm: 2 * mm };
  const xs = Array.from({ length: grid.columns + 1 }, (_, column) => sheetMargin + column * grid.cellWidth);
  const ys = Array.from({ length: grid.rows + 1 }, (_, row) => sheetMargin + row * grid.cellHeight);
  const [left = 0, right = 0] = [xs[0], xs.at(-1)];
  const [top = 0, bottom = 0] = [ys[0], ys.at(-1)];
  document.lineWidth(0.4).strokeColor('#888888');
  const line = (x1: number, y1: number, x2: number, y2: number): void =>
    void document.moveTo(x1, y1).lineTo(x2, y2);
  for (const x of xs) {
    line(x, top - marks.far, x, top - marks.near);
    line(x, bottom + marks.near, x, bottom + marks.far);
  }
  for (const y of ys) {
    line(left - marks.far, y, left - marks.near, y);
    line(right + marks.near, y, right + marks.far, y);
  }
  for (const x of xs.slice(1, -1))
    for (const y of ys.slice(1, -1)) {
      line(x - marks.arm, y, x + marks.arm, y);
      line(x, y - marks.arm, x, y + marks.arm);
    }
  document.stroke();
};

/** What slips of one site have in common is prepared once. */
const makePrepare = (document: Document, { toPrintable }: PrintFonts) => {
  const pictures = new Map<VoucherSlip['logo'], PreparedSlip['picture']>();
  const codes = new Map<string, QrSquares>();
  const openPicture = (logo: VoucherSlip['logo']): PreparedSlip['picture'] => {
    if (!logo) return undefined;
    try {
      return document.openImage(logo.file);
    } catch {
      // A slip without its picture is better than none.
      return undefined;
    }
  };
  return ({ logo, qrText, doesQrJoin: _, ...slip }: VoucherSlip): PreparedSlip => {
    if (!pictures.has(logo)) pictures.set(logo, openPicture(logo));
    const qr = codes.get(qrText) ?? encodeQr(qrText);
    codes.set(qrText, qr);
    return {
      picture: pictures.get(logo),
      qr,
      siteName: toPrintable(slip.siteName),
      network: slip.network && { label: slip.network.label, ssid: toPrintable(slip.network.ssid) },
      password: slip.password && { label: slip.password.label, text: toPrintable(slip.password.text) },
      codeLabel: slip.codeLabel,
      formattedCode: toPrintable(slip.formattedCode),
      validity: toPrintable(slip.validity),
      uses: toPrintable(slip.uses),
      limits: slip.limits === null ? null : toPrintable(slip.limits),
      steps: slip.steps.map(toPrintable),
      slipText: slip.slipText === null ? null : toPrintable(slip.slipText),
      name: slip.name === null ? null : toPrintable(slip.name),
    };
  };
};
