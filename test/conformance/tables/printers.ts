import { expect, test } from '@jest/globals';
import type { AuditDraft } from '../../../src/audit/auditTable.js';
import type { PrinterValues } from '../../../src/printing/printerTable.js';
import { addSite, someTime } from '../../support/records.js';
import type { Shared } from './sharedDatabase.js';

const audit = (action: 'printer.add' | 'printer.change' | 'printer.remove'): AuditDraft => ({
  ...{ at: someTime, actorKind: 'user', actorName: 'Anna', address: null, action, detail: {} },
});

const values = (name: string, siteIds: readonly number[] | null): PrinterValues => ({
  ...{ name, nameKey: name, host: '192.168.1.50', port: 9100, paper: '80mm', siteIds },
});

export const printerConformance = (shared: () => Shared): void => {
  test('a printer is added, changed and removed with its sites, and the audit log has it', async () => {
    const { printers, auditLog } = shared().tables;
    const { siteId } = await addSite(shared().tables);
    const id = await printers.add(values('bar', [siteId]), audit('printer.add'));
    expect(await printers.all()).toEqual([
      { id, name: 'bar', host: '192.168.1.50', port: 9100, paper: '80mm', siteIds: [siteId] },
    ]);
    expect(await printers.change(Number(id), values('bar', null), audit('printer.change'))).toBe('changed');
    expect(await printers.all()).toMatchObject([{ id, siteIds: null }]);
    expect(await printers.remove(Number(id), audit('printer.remove'))).toBe('removed');
    expect(await printers.all()).toEqual([]);
    const entries = await auditLog.newest({ subjectKind: 'printer' }, undefined, 10);
    expect(entries.map(({ action, subjectName }) => [action, subjectName])).toEqual([
      ['printer.remove', 'bar'],
      ['printer.change', 'bar'],
      ['printer.add', 'bar'],
    ]);
  });

  test('a name that is taken, a site and a printer that are not there change nothing', async () => {
    const { printers } = shared().tables;
    const id = Number(await printers.add(values('one', null), audit('printer.add')));
    const before = await printers.all();
    expect(await printers.add(values('one', null), audit('printer.add'))).toBe('name-taken');
    expect(await printers.add(values('two', [999_999]), audit('printer.add'))).toBe('unknown-site');
    expect(await printers.change(999_999, values('x', null), audit('printer.change'))).toBe(
      'unknown-printer',
    );
    expect(await printers.change(id, values('one', [999_999]), audit('printer.change'))).toBe('unknown-site');
    expect(await printers.remove(999_999, audit('printer.remove'))).toBe('unknown-printer');
    expect(await printers.all()).toEqual(before);
    await printers.remove(id, audit('printer.remove'));
  });
};
