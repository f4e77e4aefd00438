/** A millimetre in points, of which an inch has 72. */
export const mm = 72 / 25.4;

export const sheetPapers = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
} as const;
export type SheetPaper = keyof typeof sheetPapers;

/**
 * Paper for one slip each, in millimetres. Office printers leave
 * the outermost millimetres white, so slips keep off them.
 */
export const slipPapers = {
  a4: { ...sheetPapers.a4, margin: 20, maxWidth: 110 },
  letter: { ...sheetPapers.letter, margin: 20, maxWidth: 110 },
  a6: { width: 105, height: 148, margin: 8, maxWidth: 105 },
  a7: { width: 74, height: 105, margin: 5, maxWidth: 74 },
  /** ISO/IEC 7810 ID-1. */
  card: { width: 85.6, height: 53.98, margin: 4, maxWidth: 85.6 },
} as const;
export type SlipPaper = keyof typeof slipPapers;

/** Width of a roll, and of what printers can print of it, in millimetres. */
export const rollPapers = {
  '58mm': { width: 58, printed: 48 },
  '62mm': { width: 62, printed: 58 },
  '80mm': { width: 80, printed: 72 },
} as const;
export type RollPaper = keyof typeof rollPapers;

/** A sheet of labels, in millimetres: where the first one begins, and how far it is from one to the next. */
export interface LabelSheet {
  readonly sheet: SheetPaper;
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly pitchX: number;
  readonly pitchY: number;
  /** From the edge of a label to what is printed: no printer hits a label exactly. */
  readonly padding: number;
}

const inch = 25.4;

/**
 * The sizes of labels are those of their packages. Where they stand follows from the sheet: margins are equal
 * on opposite sides, so two labels of 99.1 mm with a gap of 2.5 mm leave 4.65 mm at each side of A4.
 */
export const labelSheets = {
  'avery-l7160': {
    sheet: 'a4',
    columns: 3,
    rows: 7,
    width: 63.5,
    height: 38.1,
    left: 7.21,
    top: 15.15,
    pitchX: 66.04,
    pitchY: 38.1,
    padding: 2.5,
  },
  'avery-l7163': {
    sheet: 'a4',
    columns: 2,
    rows: 7,
    width: 99.1,
    height: 38.1,
    left: 4.65,
    top: 15.15,
    pitchX: 101.6,
    pitchY: 38.1,
    padding: 2.5,
  },
  // Without gaps and margins: what is printed keeps off the edge of the sheet.
  'avery-3652': {
    sheet: 'a4',
    columns: 3,
    rows: 7,
    width: 70,
    height: 42.3,
    left: 0,
    top: 0.45,
    pitchX: 70,
    pitchY: 42.3,
    padding: 5,
  },
  // Cards of 85 × 54 mm.
  'avery-c32015': {
    sheet: 'a4',
    columns: 2,
    rows: 4,
    width: 85,
    height: 54,
    left: 17,
    top: 31.5,
    pitchX: 91,
    pitchY: 60,
    padding: 4,
  },
  'avery-5160': {
    sheet: 'letter',
    columns: 3,
    rows: 10,
    width: 2.625 * inch,
    height: 1 * inch,
    left: 0.1875 * inch,
    top: 0.5 * inch,
    pitchX: 2.75 * inch,
    pitchY: 1 * inch,
    padding: 2,
  },
  'avery-5163': {
    sheet: 'letter',
    columns: 2,
    rows: 5,
    width: 4 * inch,
    height: 2 * inch,
    left: 0.15625 * inch,
    top: 0.5 * inch,
    pitchX: 4.1875 * inch,
    pitchY: 2 * inch,
    padding: 3,
  },
} as const satisfies Readonly<Record<string, LabelSheet>>;
export type LabelPaper = keyof typeof labelSheets;

const has = <T extends object>(papers: T, name: string): name is keyof T & string =>
  Object.hasOwn(papers, name);

export const isSheetPaper = (name: string): name is SheetPaper => has(sheetPapers, name);
export const isSlipPaper = (name: string): name is SlipPaper => has(slipPapers, name);
export const isRollPaper = (name: string): name is RollPaper => has(rollPapers, name);
export const isLabelPaper = (name: string): name is LabelPaper => has(labelSheets, name);
