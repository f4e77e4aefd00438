import type { components } from '../../generated/web.js';

export type SlipPaperName = NonNullable<components['schemas']['SlipPaper']>;
export type PrintAtOnce = components['schemas']['PrintAtOnce'];

/** How the slips of a site are printed. */
export interface SitePrinting {
  /** What is offered first; null where nothing was chosen. */
  readonly slipPaper: SlipPaperName | null;
  /** When a voucher was created: nothing, the browser's print dialog, or a receipt printer. */
  readonly printAtOnce: PrintAtOnce;
  /** The receipt printer, for `printer` only. */
  readonly printerId: number | null;
}

export const printingChoices = ['off', 'browser', 'printer'] as const satisfies readonly PrintAtOnce[];

const paperNames: Readonly<Record<SlipPaperName, true>> = {
  'a4-sheet': true,
  'letter-sheet': true,
  a4: true,
  letter: true,
  a6: true,
  a7: true,
  card: true,
  '58mm': true,
  '62mm': true,
  '80mm': true,
  'avery-l7160': true,
  'avery-l7163': true,
  'avery-3652': true,
  'avery-c32015': true,
  'avery-5160': true,
  'avery-5163': true,
};

/** What slips are printed on: `…-sheet` is a sheet to cut. `printing/pdf/papers.ts` has the measures. */
export const slipPaperNames = Object.keys(paperNames) as readonly SlipPaperName[];

/** Why a site can't print as it was asked to. */
export type PrintingConflict = 'unknown-printer' | 'printer-not-used';

type StoredPrinting = Pick<SitePrinting, 'printAtOnce' | 'printerId'>;

/** What is printed at once after a change, and where: only `printer` has a printer. */
export const settlePrinting = (
  stored: StoredPrinting,
  change: Partial<StoredPrinting>,
): StoredPrinting | PrintingConflict => {
  const { printAtOnce = stored.printAtOnce, printerId = stored.printerId } = change;
  if (printAtOnce !== 'printer')
    return change.printerId == null ? { printAtOnce, printerId: null } : 'printer-not-used';
  return printerId === null ? 'unknown-printer' : { printAtOnce, printerId };
};
