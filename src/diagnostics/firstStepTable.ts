import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import type { Database } from '../database/database.js';
import { raiseRevisions } from '../database/revisions.js';
import { inTransaction } from '../database/transactions.js';

export interface FirstStepTable {
  /** Has an administrator hidden the first steps? */
  isHidden(): Promise<boolean>;
  setHidden(isHidden: boolean, audit: AuditDraft): Promise<void>;
  /** Is there any voucher, of whatever state? */
  hasVoucher(): Promise<boolean>;
}

const settingName = 'first-steps';

/** What the database knows of the first steps beside controllers, sites, profiles and users. */
export const makeFirstStepTable = ({ read, write }: Database): FirstStepTable => ({
  isHidden: async () => {
    const row = await read('settings')
      .where({ name: settingName })
      .first<{ value: string } | undefined>('value');
    return row !== undefined && (JSON.parse(row.value) as { isHidden?: unknown }).isHidden === true;
  },
  setHidden: (isHidden, audit) =>
    inTransaction(write, async (transaction) => {
      await transaction('settings')
        .insert({ name: settingName, value: JSON.stringify({ isHidden }) })
        .onConflict('name')
        .merge();
      await recordAudit(transaction, { ...audit, subjectKind: null, subjectId: null, subjectName: null });
      await raiseRevisions(transaction, ['settings']);
    }),
  hasVoucher: async () => (await read('vouchers').first<{ id: number } | undefined>('id')) !== undefined,
});
