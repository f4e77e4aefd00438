import type { VoucherLimits } from '../controllers/voucherLimits.js';
import { loadGuestTexts, type GuestLanguage } from '../i18n/guestTexts.js';
import { fillKioskTexts, mergeOwnTexts, type KioskTexts } from '../sites/ownTexts.js';
import { allSites, type OwnTextTable } from '../sites/ownTextTable.js';
import type { SiteDetails } from '../sites/siteTable.js';

/** The own texts of a site for its kiosks, filled in, in each language that has some. */
export const findKioskTexts = async (
  ownTexts: Pick<OwnTextTable, 'find'>,
  site: Pick<SiteDetails, 'id' | 'name' | 'ssid'>,
  limits: VoucherLimits,
): Promise<(KioskTexts & { readonly language: GuestLanguage })[]> => {
  const own = await ownTexts.find([allSites, site.id]);
  const [forAll, ofSite] = [own.get(allSites), own.get(site.id)];
  const languages = new Set([
    ...Object.keys(forAll ?? {}),
    ...Object.keys(ofSite ?? {}),
  ]) as Set<GuestLanguage>;
  return [...languages].sort().map((language) => {
    const texts = loadGuestTexts(language);
    const values = {
      site: site.name,
      wifi: site.ssid ?? '',
      time: texts.duration(limits.expireMinutes),
      devices: texts.number(limits.maxUses),
      limits: texts.limits(limits)?.replaceAll('\n', ', ') ?? '',
    };
    return { language, ...fillKioskTexts(mergeOwnTexts(language, forAll, ofSite), values) };
  });
};
