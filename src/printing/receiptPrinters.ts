import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadGuestTexts, type GuestLanguage } from '../i18n/guestTexts.js';
import { compareNames } from '../lib/collections.js';
import { limitConcurrencyByKey, QueueFull } from '../lib/concurrency.js';
import { toLabel } from '../lib/label.js';
import { Refusal } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import { toUserKey } from '../users/names.js';
import { seesSite, summarizeSites } from '../sites/siteScope.js';
import type { AuditEntry } from '../audit/auditTable.js';
import type { Printer, PrinterConflict, PrinterTable, PrinterValues } from './printerTable.js';
import type { SelectWithSites, VoucherSelection, VoucherViewer } from '../vouchers/selection.js';
import type { MakeSlips } from './printing.js';
import { checkPrinterHost, type PrintOutcome, type SendToPrinter } from './receipts/printerConnection.js';

export type { Printer };

/** The settings of a printer. */
export type PrinterInput = Omit<Printer, 'id'>;

/** Receipt printers. All throw `Refusal`, and then nothing has changed. */
export interface ReceiptPrinters {
  /** All of them, sorted by name. */
  list(): Promise<Printer[]>;
  add(input: PrinterInput, actor: Actor): Promise<Printer>;
  /** Replaces all of it. */
  change(id: number, input: PrinterInput, actor: Actor): Promise<Printer>;
  remove(id: number, actor: Actor): Promise<void>;
  /** Prints a receipt without a voucher. */
  test(id: number, language: GuestLanguage): Promise<PrintOutcome>;
  /** Prints a receipt for each voucher. */
  print(
    id: number,
    selection: Partial<VoucherSelection> & { readonly language: GuestLanguage },
    viewer: VoucherViewer,
  ): Promise<PrintOutcome>;
}

interface ReceiptPrintersDeps {
  readonly printers: PrinterTable;
  readonly select: SelectWithSites;
  readonly makeSlips: MakeSlips;
  readonly send: SendToPrinter;
  readonly clock: Clock;
}

const maxNameCharacters = 100;
/** A receipt takes a second to print, and a user waits for the last one. */
const maxReceipts = 50;
/** For one printer: a user waits in front of it, and a silent printer must not block many requests. */
const maxWaitingJobs = 5;

export const makeReceiptPrinters = (deps: ReceiptPrintersDeps): ReceiptPrinters => {
  const { printers, select, makeSlips, send, clock } = deps;
  // Printers take one connection at a time.
  const inTurn = limitConcurrencyByKey(1, maxWaitingJobs);
  const find = async (id: number): Promise<Printer> => {
    const printer = (await printers.all()).find((known) => known.id === id);
    if (!printer) throw refusalOf('unknown-printer');
    return printer;
  };
  const sendInTurn = async (printer: Printer, receipts: readonly Uint8Array[]): Promise<PrintOutcome> => {
    try {
      return await inTurn(`${printer.host}:${String(printer.port)}`, () => send(printer, receipts));
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      throw new Refusal('printer-busy', 'others are printing: try again in a moment');
    }
  };
  return {
    list: async () => (await printers.all()).sort(compareNames),
    add: async (input, actor) => {
      const values = toPrinterValues(input);
      const audit = draftAudit(actor, 'printer.add', clock.now(), summarizePrinter(values));
      const id = await printers.add(values, audit);
      if (typeof id === 'string') throw refusalOf(id);
      return toPrinter(id, values);
    },
    change: async (id, input, actor) => {
      const values = toPrinterValues(input);
      const audit = draftAudit(actor, 'printer.change', clock.now(), summarizePrinter(values));
      const outcome = await printers.change(id, values, audit);
      if (outcome !== 'changed') throw refusalOf(outcome);
      return toPrinter(id, values);
    },
    remove: async (id, actor) => {
      const outcome = await printers.remove(id, draftAudit(actor, 'printer.remove', clock.now()));
      if (outcome !== 'removed') throw refusalOf(outcome);
    },
    test: async (id, language) => {
      const printer = await find(id);
      const { toTestReceipt } = await import('./receipts/receipt.js');
      return sendInTurn(printer, [await toTestReceipt(printer, loadGuestTexts(language))]);
    },
    print: async (id, { language, ...selection }, viewer) => {
      const printer = await find(id);
      const { siteIds } = printer;
      if (siteIds && !siteIds.some((siteId) => seesSite(viewer, siteId))) throw refusalOf('unknown-printer');
      const selected = await select(selection, viewer);
      if (selected.length > maxReceipts)
        throw new Refusal('too-many-receipts', `at most ${String(maxReceipts)} receipts at once`, 'invalid');
      if (siteIds && selected.some(({ site }) => !siteIds.includes(site.id)))
        throw new Refusal('printer-of-other-site', 'this printer is for other sites');
      const { toReceipt } = await import('./receipts/receipt.js');
      const slips = await makeSlips(selected, language);
      const receipts: Uint8Array[] = [];
      for (const slip of slips) {
        receipts.push(await toReceipt(slip, printer.paper));
        // Lets other requests run between two receipts.
        await nextTurn();
      }
      return sendInTurn(printer, receipts);
    },
  };
};

/** A printer as it is stored. Throws `Refusal`. */
export const toPrinterValues = ({ name: given, host, port, paper, siteIds }: PrinterInput): PrinterValues => {
  const name = toLabel(given, maxNameCharacters);
  checkPrinterHost(host);
  return {
    name,
    nameKey: toUserKey(name),
    host,
    port,
    paper,
    siteIds: siteIds && [...new Set(siteIds)].sort((a, b) => a - b),
  };
};

const toPrinter = (id: number, { nameKey: _, ...values }: PrinterValues): Printer => ({ id, ...values });

/** What the audit log says of a printer. */
export const summarizePrinter = ({ host, port, paper, siteIds }: PrinterValues): AuditEntry['detail'] => ({
  host,
  port,
  paper,
  sites: siteIds === null ? 'all' : summarizeSites(siteIds),
});

const refusalOf = (conflict: PrinterConflict): Refusal => {
  switch (conflict) {
    case 'name-taken':
      return new Refusal(conflict, 'there is a printer with this name');
    case 'unknown-site':
      return new Refusal(conflict, 'there is no such site');
    case 'unknown-printer':
      return new Refusal(conflict, 'there is no such printer', 'missing');
  }
};
