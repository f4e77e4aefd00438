import { recordAudit, type AuditDraft } from '../../audit/auditTable.js';
import type { Database } from '../../database/database.js';
import { importVouchers, type ImportedVoucher } from '../voucherImportTable.js';

export interface AdoptionTable {
  /**
   * Records at most 500 vouchers of a site that are not recorded yet, with one entry in the audit log.
   * Returns how many.
   */
  adopt(
    vouchers: readonly ImportedVoucher[],
    site: { readonly id: number; readonly name: string },
    audit: AuditDraft,
  ): Promise<number>;
}

export const makeAdoptionTable = (database: Database): AdoptionTable => ({
  adopt: (vouchers, { id, name }, audit) =>
    importVouchers(database, vouchers, (transaction, count) =>
      recordAudit(transaction, {
        ...audit,
        detail: { ...audit.detail, count },
        subjectKind: 'site',
        subjectId: String(id),
        subjectName: name,
      }),
    ),
});
