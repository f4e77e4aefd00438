import { Refusal } from '../errors/problem.js';
import { toLabel } from '../lib/label.js';
import type { AuditEntry } from '../audit/auditTable.js';
import type { Profile, ProfileTable } from '../profiles/profileTable.js';
import type { SiteDetails, SiteTable } from '../sites/siteTable.js';
import type { KioskValues } from './kioskTable.js';

/** What an administrator decides of a kiosk. What is left out has its default. */
export type KioskInput = Pick<KioskValues, 'siteId' | 'profileId' | 'perHour' | 'asksName'> &
  Partial<KioskValues>;

/** The printers that a kiosk may use, without what only printing needs. */
export interface KioskPrinters {
  all(): Promise<readonly { readonly id: number; readonly siteIds: readonly number[] | null }[]>;
}

export const kioskDefaults = {
  name: '',
  moreProfileIds: [],
  requiresName: false,
  sendsEmail: false,
  sendsSms: false,
  printerId: null,
  idleSeconds: 60,
  backgroundColour: null,
  perDevice: null,
  deviceMinutes: 60,
  slug: null,
  needsApproval: false,
} as const satisfies Partial<KioskValues>;

const maxNameCharacters = 100;

interface CheckedKiosk {
  readonly values: KioskValues;
  readonly site: SiteDetails;
  readonly profiles: readonly Profile[];
}

/** Is the profile for this site? */
export const isForSite = ({ siteIds }: Pick<Profile, 'siteIds'>, siteId: number): boolean =>
  siteIds?.includes(siteId) !== false;

/** Throws `Refusal` for what does not exist, or is not for the site. */
export const makeCheckKiosk =
  (tables: {
    readonly sites: Pick<SiteTable, 'details'>;
    readonly profiles: Pick<ProfileTable, 'all'>;
    readonly printers: KioskPrinters;
  }) =>
  async (input: KioskInput): Promise<CheckedKiosk> => {
    const values = toKioskValues(input);
    const { siteId, printerId } = values;
    const site = (await tables.sites.details()).find(({ id }) => id === siteId);
    if (!site) throw new Refusal('unknown-site', 'there is no such site');
    const known = await tables.profiles.all();
    const profiles = [values.profileId, ...values.moreProfileIds].map((id) => {
      const profile = known.find((one) => one.id === id);
      if (!profile || !isForSite(profile, siteId))
        throw new Refusal('unknown-profile', 'there is no such profile, or it is not for this site');
      return profile;
    });
    if (printerId !== null) {
      const printer = (await tables.printers.all()).find(({ id }) => id === printerId);
      if (!printer || printer.siteIds?.includes(siteId) === false)
        throw new Refusal('kiosk-printer-unknown', 'there is no such printer, or it is not for this site');
    }
    return { values, site, profiles };
  };

/** The values as they are stored. Throws `Refusal`. */
export const toKioskValues = (input: KioskInput): KioskValues => {
  const { siteId, profileId, perHour, name, moreProfileIds, ...others } = { ...kioskDefaults, ...input };
  const { requiresName, sendsEmail, sendsSms, printerId, idleSeconds, backgroundColour } = others;
  return {
    siteId,
    profileId,
    perHour,
    requiresName,
    sendsEmail,
    sendsSms,
    printerId,
    idleSeconds,
    name: name === '' ? '' : toLabel(name, maxNameCharacters),
    moreProfileIds: [...new Set(moreProfileIds)].filter((id) => id !== profileId),
    asksName: others.asksName || requiresName,
    backgroundColour: backgroundColour?.toLowerCase() ?? null,
    deviceMinutes: others.deviceMinutes,
    ...toAccess(others),
  };
};

/**
 * Anybody may open a public page, so it always limits devices and addresses. Only there staff can be asked.
 */
const toAccess = ({
  slug,
  needsApproval,
  perDevice,
}: Pick<KioskValues, 'slug' | 'needsApproval' | 'perDevice'>) =>
  slug === null
    ? { slug, needsApproval: false, perDevice }
    : { slug: slug.toLowerCase(), needsApproval, perDevice: perDevice ?? publicPerDevice };

const publicPerDevice = 2;

/** What the audit log says of a kiosk. */
export const summarizeKiosk = (
  values: Omit<KioskValues, 'name' | 'profileId' | 'moreProfileIds'>,
  profileNames: readonly string[],
): AuditEntry['detail'] => {
  const { siteId, perHour, asksName, requiresName, sendsEmail, sendsSms, printerId } = values;
  return {
    siteId,
    profile: profileNames.join(', '),
    perHour,
    asksName,
    requiresName,
    sendsEmail,
    sendsSms,
    printerId,
    perDevice: values.perDevice,
    ...(values.perDevice !== null && { deviceMinutes: values.deviceMinutes }),
    idleSeconds: values.idleSeconds,
    backgroundColour: values.backgroundColour,
    ...(values.slug !== null && { address: `/guest/${values.slug}`, needsApproval: values.needsApproval }),
  };
};
