import type { PictureFile } from '../lib/picture.js';
import { recordAudit, type AuditDraft } from '../audit/auditTable.js';
import type { Database } from '../database/database.js';
import { findSiteInTransaction, inSitesTransaction, toSiteEntry } from './siteTable.js';

/** The picture that is printed on the slips of a site. */
export type SiteLogo = PictureFile;

export interface SiteLogoTable {
  find(siteId: number): Promise<SiteLogo | undefined>;
  /** Stores a logo in place of the one before. Returns false when the site does not exist. */
  set(siteId: number, logo: SiteLogo, audit: AuditDraft): Promise<boolean>;
  /** Returns false when the site has no logo. */
  remove(siteId: number, audit: AuditDraft): Promise<boolean>;
}

/** The table of logos. They are part of the sites, and raise their revision. */
export const makeSiteLogoTable = ({ read, write }: Database): SiteLogoTable => ({
  find: (siteId) =>
    read('site_logos')
      .where({ site_id: siteId })
      .first<SiteLogo | undefined>({ mediaType: 'media_type', image: 'image' }),
  set: (siteId, { mediaType, image }, audit) =>
    inSitesTransaction(write, async (transaction) => {
      const site = await findSiteInTransaction(transaction, siteId);
      if (!site) return false;
      await transaction('site_logos')
        .insert({ site_id: siteId, media_type: mediaType, image })
        .onConflict('site_id')
        .merge();
      await recordAudit(transaction, toSiteEntry(audit, site));
      return true;
    }),
  remove: (siteId, audit) =>
    inSitesTransaction(write, async (transaction) => {
      const site = await findSiteInTransaction(transaction, siteId);
      if (!site || (await transaction('site_logos').where({ site_id: siteId }).delete()) === 0) return false;
      await recordAudit(transaction, toSiteEntry(audit, site));
      return true;
    }),
});
