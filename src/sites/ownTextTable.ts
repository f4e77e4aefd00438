import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import type { Database } from '../database/database.js';
import type { OwnTextsByLanguage } from './ownTexts.js';
import { findSiteInTransaction, inSitesTransaction, toSiteEntry } from './siteTable.js';

/** The number that stands for all sites. */
export const allSites = 0;

export interface OwnTextTable {
  /** Those of these sites; `allSites` is one of them if it is asked for. */
  find(siteIds: readonly number[]): Promise<ReadonlyMap<number, OwnTextsByLanguage>>;
  all(): Promise<ReadonlyMap<number, OwnTextsByLanguage>>;
  /** Replaces all texts of a site. Returns false when the site does not exist. */
  set(siteId: number, texts: OwnTextsByLanguage, audit: AuditDraft): Promise<boolean>;
  /** Replaces them by what `edit` makes of those that are stored. No other change comes between. */
  change(
    siteId: number,
    edit: (stored: OwnTextsByLanguage) => OwnTextsByLanguage,
    audit: AuditDraft,
  ): Promise<boolean>;
}

interface Row {
  readonly site_id: number;
  readonly texts: string;
}

const toMap = (rows: readonly Row[]): ReadonlyMap<number, OwnTextsByLanguage> =>
  new Map(rows.map(({ site_id: id, texts }) => [id, JSON.parse(texts) as OwnTextsByLanguage]));

/** The table of own texts. They are part of the sites, and raise their revision. */
export const makeOwnTextTable = ({ read, write }: Database): OwnTextTable => {
  const change: OwnTextTable['change'] = (siteId, edit, audit) =>
    inSitesTransaction(write, async (transaction) => {
      const site =
        siteId === allSites ? { id: allSites, name: '' } : await findSiteInTransaction(transaction, siteId);
      if (!site) return false;
      const rows = await transaction('guest_texts')
        .where({ site_id: siteId })
        .select<Row[]>('site_id', 'texts');
      const texts = edit(toMap(rows).get(siteId) ?? {});
      if (Object.keys(texts).length === 0)
        await transaction('guest_texts').where({ site_id: siteId }).delete();
      else
        await transaction('guest_texts')
          .insert({ site_id: siteId, texts: JSON.stringify(texts) })
          .onConflict('site_id')
          .merge();
      await recordAudit(transaction, toSiteEntry(audit, site));
      return true;
    });
  return {
    find: async (siteIds) =>
      toMap(
        await read('guest_texts')
          .whereIn('site_id', [...siteIds])
          .select<Row[]>('site_id', 'texts'),
      ),
    all: async () => toMap(await read('guest_texts').orderBy('site_id').select<Row[]>('site_id', 'texts')),
    set: (siteId, texts, audit) => change(siteId, () => texts, audit),
    change,
  };
};
