import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import type { Database } from '../database/database.js';
import { continueIds } from '../database/sequences.js';
import { insertRows } from '../database/transactions.js';
import { inSitesTransaction, siteColumns, toSiteEntry, type StoredSite } from './siteTable.js';

/** A site with an id of its own. */
export interface ImportedSite extends StoredSite {
  readonly createdAt: number;
}

/** Adds sites with the ids that they had elsewhere, all or none: clients go on using these. */
export const importSites = async (
  { write }: Database,
  sites: readonly ImportedSite[],
  audit: AuditDraft,
): Promise<void> => {
  if (sites.length === 0) return;
  await inSitesTransaction(write, async (transaction) => {
    const rows = sites.map((site) => ({ ...siteColumns.toRow(site), created_at: site.createdAt }));
    await insertRows(transaction, 'sites', rows);
    await continueIds(transaction, 'sites');
    for (const site of sites) await recordAudit(transaction, toSiteEntry(audit, site));
  });
};
