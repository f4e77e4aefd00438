import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { encodeQr, type QrSquares } from '../qrCode.js';
import type { VoucherSlip } from '../voucherSlip.js';
import { loadPrintFonts } from '../fonts.js';
import { toPrintable } from '../printableText.js';
import { fontName } from './pdfText.js';
import { drawSlip, makeRollSlip, type PreparedSlip } from './slipLayout.js';
import {
  labelSheets,
  mm,
  rollPapers,
  sheetPapers,
  slipPapers,
  type LabelPaper,
  type RollPaper,
  type SheetPaper,
  type SlipPaper,
} from './papers.js';
import { limitConcurrencyByKey } from '../../lib/concurrency.js';

type Document = InstanceType<typeof PDFDocument>;

/** How slips are arranged on paper. How a slip itself is laid out is in `slipLayout.ts`. */
export type PdfLayout =
  | { readonly kind: 'slip'; readonly paper: SlipPaper }
  | {
      readonly kind: 'sheet';
      readonly paper: SheetPaper;
      readonly columns: number;
      readonly rows: number;
      readonly hasCutMarks: boolean;
    }
  | {
      readonly kind: 'labels';
      readonly paper: LabelPaper;
      /** Where the first one goes, on a sheet of which some are used: 1 is the first label. */
      readonly firstLabel: number;
    }
  | { readonly kind: 'receipt'; readonly paper: RollPaper };

const pageSizeOf = ({ width, height }: { readonly width: number; readonly height: number }) =>
  [width * mm, height * mm] as const;

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
  for (const script of ['other', 'arabic'] as const)
    for (const weight of ['regular', 'bold'] as const)
      document.registerFont(fontName(weight, script), fonts.files[script][weight]);
  const prepare = makePrepare(document);
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
      const { margin, maxWidth } = slipPapers[paper];
      const [width, height] = pageSizeOf(slipPapers[paper]);
      document.addPage({ size: [width, height], margin: 0 });
      const inner = Math.min(maxWidth * mm, width - 2 * margin * mm);
      drawSlip(document, slip, {
        x: (width - inner) / 2,
        y: margin * mm,
        width: inner,
        height: height - 2 * margin * mm,
      });
    },
  sheet: (
    document: Document,
    { paper, columns, rows, hasCutMarks }: PdfLayout & { kind: 'sheet' },
  ): DrawNext => {
    const [width, height] = pageSizeOf(sheetPapers[paper]);
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
  labels: (document: Document, { paper, firstLabel }: PdfLayout & { kind: 'labels' }): DrawNext => {
    const { sheet, columns, rows, width, height, left, top, pitchX, pitchY, padding } = labelSheets[paper];
    const [pageWidth, pageHeight] = pageSizeOf(sheetPapers[sheet]);
    return (slip, index) => {
      const place = (index + firstLabel - 1) % (columns * rows);
      if (index === 0 || place === 0) document.addPage({ size: [pageWidth, pageHeight], margin: 0 });
      drawSlip(document, slip, {
        x: (left + (place % columns) * pitchX + padding) * mm,
        y: (top + Math.floor(place / columns) * pitchY + padding) * mm,
        width: (width - 2 * padding) * mm,
        height: (height - 2 * padding) * mm,
      });
    };
  },
  receipt:
    (document: Document, { paper }: PdfLayout & { kind: 'receipt' }): DrawNext =>
    (slip) => {
      const { width: rollWidth, printed } = rollPapers[paper];
      const [width, inner] = [rollWidth * mm, printed * mm];
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
const makePrepare = (document: Document) => {
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
  return ({ logo, qrText, ...slip }: VoucherSlip): PreparedSlip => {
    if (!pictures.has(logo)) pictures.set(logo, openPicture(logo));
    const qr = codes.get(qrText) ?? encodeQr(qrText);
    codes.set(qrText, qr);
    return {
      picture: pictures.get(logo),
      qr,
      direction: slip.direction,
      colon: slip.colon,
      heading: toPrintable(slip.heading),
      network: slip.network && {
        label: toPrintable(slip.network.label),
        ssid: toPrintable(slip.network.ssid),
      },
      password: slip.password && {
        label: toPrintable(slip.password.label),
        text: toPrintable(slip.password.text),
      },
      codeLabel: toPrintable(slip.codeLabel),
      formattedCode: toPrintable(slip.formattedCode),
      facts: slip.facts.map(toPrintable),
      steps: toPrintable(slip.steps),
      slipText: slip.slipText === null ? null : toPrintable(slip.slipText),
      name: slip.name === null ? null : toPrintable(slip.name),
      missingNote: slip.missingNote,
    };
  };
};
