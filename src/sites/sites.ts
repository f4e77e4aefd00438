import { compareNames } from '../lib/collections.js';
import { toLabel } from '../lib/label.js';
import { Refusal } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import { seesSite, type SiteScope } from './siteScope.js';
import type { AuditEntry } from '../audit/auditTable.js';
import type { SiteLogo, SiteLogoTable } from './logoTable.js';
import { type SiteConflict, type SiteDetails, type SiteTable, type SiteValues } from './siteTable.js';
import { parseLogo } from './logo.js';
import type { RotationSafeWriter } from '../secrets/rotationSafeWriter.js';
import { refuseWifi, sealWifiPassword, toWifiPassword } from './wifi.js';

export type { SiteDetails };

/** What people change of a site. */
export type SiteChange = Omit<SiteValues, 'sealedWifiPassword'> & {
  /** Null removes it. */
  readonly wifiPassword?: string | null | undefined;
};

/** The sites as people see and change them. All throw `Refusal`, and then nothing has changed. */
export interface Sites {
  /** Administrators see all sites, staff the active ones among those assigned to them. Sorted by name. */
  list(viewer: SiteScope): Promise<SiteDetails[]>;
  find(id: number): Promise<SiteDetails>;
  /** Changes what is given. */
  change(id: number, change: SiteChange, actor: Actor): Promise<void>;
  /** Undefined when there is none that the viewer may see. */
  logo(id: number, viewer: SiteScope): Promise<SiteLogo | undefined>;
  /** Stores a picture, given in base64, in the size that is printed. */
  setLogo(id: number, image: string, actor: Actor): Promise<void>;
  removeLogo(id: number, actor: Actor): Promise<void>;
}

interface SitesDeps {
  readonly sites: SiteTable;
  readonly siteLogos: SiteLogoTable;
}

export const makeSites = (
  { sites, siteLogos }: SitesDeps,
  clock: Clock,
  rotationSafeWriter: Pick<RotationSafeWriter, 'replace'>,
): Sites => {
  const list: Sites['list'] = async (viewer) =>
    (await sites.details())
      .filter(({ id, active }) => viewer.role === 'admin' || (active && seesSite(viewer, id)))
      .sort(compareNames);
  const draft = (actor: Actor, action: 'site.change' | 'site.logo', detail: AuditEntry['detail']) =>
    draftAudit(actor, action, clock.now(), detail);
  return {
    list,
    find: async (id) => {
      const site = (await sites.details()).find((known) => known.id === id);
      if (!site) throw refusalOf('unknown-site');
      return site;
    },
    change: async (id, given, actor) => {
      const values = toSiteValues(given);
      const { wifiPassword, ...others } = values;
      const audit = draft(actor, 'site.change', summarize(values));
      const change = (sealed: Pick<SiteValues, 'sealedWifiPassword'>) =>
        sites.change(id, { ...others, ...sealed }, audit);
      const outcome =
        wifiPassword == null
          ? await change(wifiPassword === null ? { sealedWifiPassword: null } : {})
          : await rotationSafeWriter.replace((secrets) =>
              change({ sealedWifiPassword: sealWifiPassword(secrets, id, wifiPassword) }),
            );
      if (outcome !== 'changed') throw refusalOf(outcome);
    },
    logo: async (id, viewer) =>
      (await list(viewer)).some((site) => site.id === id) ? siteLogos.find(id) : undefined,
    setLogo: async (id, image, actor) => {
      const logo = await parseLogo(image);
      const detail = { mediaType: logo.mediaType, bytes: logo.image.length };
      if (!(await siteLogos.set(id, logo, draft(actor, 'site.logo', detail))))
        throw refusalOf('unknown-site');
    },
    removeLogo: async (id, actor) => {
      if (!(await siteLogos.remove(id, draft(actor, 'site.logo', { removed: true }))))
        throw new Refusal('unknown-logo', 'this site has no logo', 'missing');
    },
  };
};

/** The details of an entry stay small, and have no secrets. */
const summarize = ({ slipText, wifiPassword, ...values }: SiteChange): AuditEntry['detail'] => ({
  ...values,
  ...(slipText !== undefined && { slipText: slipText !== null }),
  ...(wifiPassword !== undefined && { wifiPassword: wifiPassword !== null }),
});

/** The name of a wireless network is at most this long, by IEEE 802.11. */
const maxSsidBytes = 32;
const maxSlipCharacters = 1000;

/** The values as they are stored. Throws `Refusal`. */
export const toSiteValues = ({ name, active, ssid, slipText, ...given }: SiteChange): SiteChange => ({
  ...(name !== undefined && { name: toLabel(name) }),
  ...(active !== undefined && { active }),
  ...(ssid !== undefined && { ssid: toSsid(ssid) }),
  ...(given.wifiKind !== undefined && { wifiKind: given.wifiKind }),
  ...(given.isWifiHidden !== undefined && { isWifiHidden: given.isWifiHidden }),
  ...(given.wifiPassword !== undefined && { wifiPassword: toWifiPassword(given.wifiPassword) }),
  ...(slipText !== undefined && { slipText: toSlipText(slipText) }),
  ...(given.slipPaper !== undefined && { slipPaper: given.slipPaper }),
  ...(given.printAtOnce !== undefined && { printAtOnce: given.printAtOnce }),
  ...(given.printerId !== undefined && { printerId: given.printerId }),
  ...(given.defaultProfileId !== undefined && { defaultProfileId: given.defaultProfileId }),
});

const toSsid = (text: string | null): string | null => {
  if (text === null || text === '') return null;
  if (Buffer.byteLength(text) > maxSsidBytes || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text))
    throw new Refusal('ssid-invalid', 'the name of a network has at most 32 bytes, all visible', 'invalid');
  return text;
};

/** Several lines are allowed. */
const toSlipText = (text: string | null): string | null => {
  const lines = text?.replaceAll(/\r\n?/g, '\n').trim() ?? '';
  if (lines === '') return null;
  if (Array.from(lines).length > maxSlipCharacters || /[^\P{Cc}\n\t]|\p{Cs}/u.test(lines))
    throw new Refusal(
      'slip-text-invalid',
      'the text of slips has at most 1000 characters, all visible',
      'invalid',
    );
  return lines;
};

const refusalOf = (conflict: SiteConflict): Refusal => {
  switch (conflict) {
    case 'unknown-site':
      return new Refusal(conflict, 'there is no such site', 'missing');
    case 'unknown-profile':
      return new Refusal(conflict, 'there is no such profile, or it is not for this site');
    case 'unknown-printer':
      return new Refusal(conflict, 'there is no such printer, or it is not for this site');
    case 'printer-not-used':
      return new Refusal(conflict, 'a site has a printer only where it prints at once on that printer');
    default:
      return refuseWifi(conflict);
  }
};
