import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { makeSiteBoundTable, type SiteBoundConflict, type SiteBoundTable } from '../sites/siteBoundTable.js';

export type ReceiptPaper = '58mm' | '80mm';

/** A receipt printer on the network. */
export interface Printer {
  readonly id: number;
  readonly name: string;
  /** Name or address. */
  readonly host: string;
  readonly port: number;
  readonly paper: ReceiptPaper;
  /** The sites that it is for; null for all. */
  readonly siteIds: readonly number[] | null;
}

/** A printer as it is written. */
export interface PrinterValues extends Omit<Printer, 'id'> {
  /** What names are compared by. */
  readonly nameKey: string;
}

interface PrinterRow extends Omit<Printer, 'siteIds'> {
  readonly nameKey: string;
  readonly forAllSites: boolean;
}

const columns = defineColumns<PrinterRow>({
  id: 'plain',
  name: 'plain',
  nameKey: 'plain',
  host: 'plain',
  port: 'plain',
  paper: 'plain',
  forAllSites: 'boolean',
});

/** Why a printer was not added, changed or removed. */
export type PrinterConflict = SiteBoundConflict<'printer'>;

export type PrinterTable = SiteBoundTable<Printer, PrinterValues, 'printer'>;

/** The table of receipt printers. */
export const makePrinterTable = (database: Database): PrinterTable =>
  makeSiteBoundTable(database, {
    noun: 'printer',
    columns,
    toRow: ({ siteIds, ...printer }: PrinterValues) => ({ ...printer, forAllSites: siteIds === null }),
    toItem: ({ nameKey: _key, forAllSites: _all, ...printer }, siteIds): Printer => ({ ...printer, siteIds }),
  });
