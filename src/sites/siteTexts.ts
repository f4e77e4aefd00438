import { draftAudit, type Actor } from '../audit/audit.js';
import { Refusal } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';
import { hasOtherTexts, toOwnTexts, withOwnTexts, type OwnTextsByLanguage } from './ownTexts.js';
import type { OwnTextTable } from './ownTextTable.js';
import { allSites } from './ownTextTable.js';
import type { SiteTable } from './siteTable.js';

/** The own texts of sites. All throw `Refusal`, and then nothing has changed. */
export interface SiteTexts {
  /** Those of a site, or of all sites: `allSites`. */
  get(siteId: number): Promise<OwnTextsByLanguage>;
  /** Changes those that are given, and no others; an empty one is removed. */
  change(siteId: number, change: OwnTextChange, actor: Actor): Promise<void>;
}

interface OwnTextChange {
  readonly texts: OwnTextsByLanguage;
  /** What they were: one that is another by now is not replaced. Undefined replaces whatever there is. */
  readonly before: OwnTextsByLanguage | undefined;
}

interface SiteTextsDeps {
  readonly ownTexts: OwnTextTable;
  readonly sites: Pick<SiteTable, 'all'>;
}

export const makeSiteTexts = ({ ownTexts, sites }: SiteTextsDeps, clock: Clock): SiteTexts => ({
  get: async (siteId) => {
    if (siteId !== allSites && !(await sites.all()).some(({ id }) => id === siteId)) throw unknownSite();
    return (await ownTexts.find([siteId])).get(siteId) ?? {};
  },
  change: async (siteId, { texts: given, before }, actor) => {
    // Refused before anything is written.
    toOwnTexts(given);
    const languages = Object.keys(given).sort().join(', ');
    const audit = draftAudit(actor, 'site.texts', clock.now(), { language: languages });
    const edit = (stored: OwnTextsByLanguage): OwnTextsByLanguage => {
      if (before && hasOtherTexts(stored, before, given))
        throw new Refusal('changed-meanwhile', 'somebody else has changed one of these texts meanwhile');
      return toOwnTexts(withOwnTexts(stored, given));
    };
    if (!(await ownTexts.change(siteId, edit, audit))) throw unknownSite();
  },
});

const unknownSite = (): Refusal => new Refusal('unknown-site', 'there is no such site', 'missing');
