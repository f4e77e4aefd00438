import { recordAudit, type AuditDraft, type NewAuditEntry } from '../audit/auditTable.js';
import { defineColumns } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { inTransaction } from '../database/transactions.js';

/** A tablet where guests take vouchers themselves. */
export interface StoredKiosk {
  readonly id: number;
  /** The SHA-256 of the token in its link. */
  readonly tokenHash: string;
  readonly siteId: number;
  readonly profileId: number;
  readonly perHour: number;
  readonly asksName: boolean;
  readonly createdAt: number;
  readonly createdBy: string;
}

const columns = defineColumns<StoredKiosk>({
  id: 'plain',
  tokenHash: 'plain',
  siteId: 'plain',
  profileId: 'plain',
  perHour: 'plain',
  asksName: 'boolean',
  createdAt: 'plain',
  createdBy: 'plain',
});

export interface KioskTable {
  /** The newest first. */
  all(): Promise<StoredKiosk[]>;
  find(tokenHash: string): Promise<StoredKiosk | undefined>;
  /** Returns the new kiosk's id. The audit log names it by its site. */
  add(kiosk: Omit<StoredKiosk, 'id'>, siteName: string, audit: AuditDraft): Promise<number>;
  /** Removes a kiosk. Returns false when it does not exist. */
  remove(id: number, audit: AuditDraft): Promise<boolean>;
}

/** The table of kiosks. */
export const makeKioskTable = ({ read, write }: Database): KioskTable => ({
  all: async () => columns.fromRows(await read('kiosks').select(columns.aliases).orderBy('id', 'desc')),
  find: async (tokenHash) =>
    columns.fromRows(await read('kiosks').select(columns.aliases).where('token_hash', tokenHash))[0],
  add: (kiosk, siteName, audit) =>
    inTransaction(write, async (transaction) => {
      const [row] = await transaction('kiosks')
        .insert(columns.toNewRow(kiosk))
        .returning<{ id: number }[]>('id');
      const id = row?.id ?? 0;
      await recordAudit(transaction, toEntry(audit, id, siteName));
      return id;
    }),
  remove: async (id, audit) => {
    const site = await read('kiosks')
      .join('sites', 'sites.id', 'kiosks.site_id')
      .where('kiosks.id', id)
      .first<{ name: string } | undefined>('sites.name');
    return inTransaction(write, async (transaction) => {
      if (!site || (await transaction('kiosks').where({ id }).delete()) === 0) return false;
      await recordAudit(transaction, toEntry(audit, id, site.name));
      return true;
    });
  },
});

const toEntry = (audit: AuditDraft, id: number, siteName: string): NewAuditEntry => ({
  ...audit,
  subjectKind: 'kiosk',
  subjectId: String(id),
  subjectName: siteName,
});
