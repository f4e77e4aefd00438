/** Which sites somebody may see: administrators see all, others those that are assigned to them. */
export interface SiteScope {
  readonly role: 'admin' | 'staff' | 'viewer';
  readonly siteIds: readonly number[];
}

/** May they see this site and what belongs to it? */
export const seesSite = ({ role, siteIds }: SiteScope, siteId: number): boolean =>
  role === 'admin' || siteIds.includes(siteId);

const maxListedSites = 50;

/** The details of an entry stay small, however many sites there are. */
export const summarizeSites = (siteIds: readonly number[]): string => {
  const listed = siteIds.slice(0, maxListedSites).join(', ');
  return siteIds.length > maxListedSites ? `${listed}, … (${String(siteIds.length)})` : listed;
};
