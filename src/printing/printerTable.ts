import type { Knex } from 'knex';
import { groupBy } from '../lib/collections.js';
import { recordAudit, type AuditDraft, type NewAuditEntry } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { doSitesExist } from '../sites/siteTable.js';
import { inTransaction, insertRows } from '../database/transactions.js';

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
export type PrinterConflict = 'name-taken' | 'unknown-site' | 'unknown-printer';

export interface PrinterTable {
  all(): Promise<Printer[]>;
  /** Returns the new printer's id. */
  add(printer: PrinterValues, audit: AuditDraft): Promise<number | PrinterConflict>;
  /** Replaces all of it. */
  change(id: number, printer: PrinterValues, audit: AuditDraft): Promise<'changed' | PrinterConflict>;
  remove(id: number, audit: AuditDraft): Promise<'removed' | PrinterConflict>;
}

/** The table of receipt printers. Every change raises their revision. */
export const makePrinterTable = ({ read, write }: Database): PrinterTable => ({
  all: async () => {
    const [rows, sites] = await Promise.all([
      read('printers').select(columns.aliases).orderBy('id'),
      read('printer_sites')
        .select<{ printerId: number; siteId: number }[]>({ printerId: 'printer_id', siteId: 'site_id' })
        .orderBy(['printer_id', 'site_id']),
    ]);
    const byPrinter = groupBy(sites, ({ printerId }) => printerId);
    return columns.fromRows(rows).map(({ nameKey: _, forAllSites, ...printer }) => ({
      ...printer,
      siteIds: forAllSites ? null : (byPrinter.get(printer.id) ?? []).map(({ siteId }) => siteId),
    }));
  },
  add: (printer, audit) =>
    inPrintersTransaction(write, async (transaction) => {
      const conflict = await findConflict(transaction, 0, printer);
      if (conflict) return conflict;
      const [row] = await transaction('printers')
        .insert(columns.toNewRow(toRow(printer)))
        .returning<{ id: number }[]>('id');
      const id = row?.id ?? 0;
      await replaceSites(transaction, id, printer.siteIds);
      await recordAudit(transaction, toEntry(audit, { id, name: printer.name }));
      return id;
    }),
  change: (id, printer, audit) =>
    inPrintersTransaction(write, async (transaction) => {
      if (!(await findName(transaction, id))) return 'unknown-printer';
      const conflict = await findConflict(transaction, id, printer);
      if (conflict) return conflict;
      await transaction('printers')
        .where({ id })
        .update(columns.toRow(toRow(printer)));
      await replaceSites(transaction, id, printer.siteIds);
      await recordAudit(transaction, toEntry(audit, { id, name: printer.name }));
      return 'changed';
    }),
  remove: (id, audit) =>
    inPrintersTransaction(write, async (transaction) => {
      const found = await findName(transaction, id);
      if (!found) return 'unknown-printer';
      await transaction('printers').where({ id }).delete();
      await recordAudit(transaction, toEntry(audit, { id, name: found.name }));
      return 'removed';
    }),
});

/** Raising the revision first locks out other such transactions, so what this one reads still holds when it writes. */
const inPrintersTransaction = <T>(write: Knex, work: (transaction: Knex) => Promise<T>): Promise<T> =>
  inTransaction(write, async (transaction) => {
    await raiseRevisions(transaction, ['printers']);
    return work(transaction);
  });

const toRow = ({ siteIds, ...printer }: PrinterValues): Partial<PrinterRow> => ({
  ...printer,
  forAllSites: siteIds === null,
});

const findName = (transaction: Knex, id: number): Promise<{ name: string } | undefined> =>
  transaction('printers').where({ id }).first<{ name: string } | undefined>('name');

const findConflict = async (
  transaction: Knex,
  id: number,
  { nameKey, siteIds }: PrinterValues,
): Promise<PrinterConflict | undefined> => {
  if (await transaction('printers').where({ name_key: nameKey }).whereNot({ id }).first('id'))
    return 'name-taken';
  return siteIds && !(await doSitesExist(transaction, siteIds)) ? 'unknown-site' : undefined;
};

const replaceSites = async (
  transaction: Knex,
  printerId: number,
  siteIds: readonly number[] | null,
): Promise<void> => {
  await transaction('printer_sites').where({ printer_id: printerId }).delete();
  const rows = [...new Set(siteIds)].map((siteId) => ({ printer_id: printerId, site_id: siteId }));
  await insertRows(transaction, 'printer_sites', rows);
};

const toEntry = (audit: AuditDraft, { id, name }: Pick<Printer, 'id' | 'name'>): NewAuditEntry => ({
  ...audit,
  subjectKind: 'printer',
  subjectId: String(id),
  subjectName: name,
});
