import { client } from '../../api/api.ts';
import type { Schemas } from '../../api/schemas.ts';
import { base64Of } from '../../lib/dataUrl.ts';
import { initialProfile } from '../../vouchers/initialProfile.ts';

export type Kiosk = Schemas['Kiosk'];
export type KioskSite = Schemas['Desk']['sites'][number];

/** What people call a kiosk. */
export const shownName = ({ name, siteName }: Pick<Kiosk, 'name' | 'siteName'>): string => name || siteName;

/** The fields of the dialog. */
export interface KioskFormValues {
  /** A tablet that is given a link, or a page for everybody. */
  access: 'link' | 'public';
  slug: string;
  needsApproval: boolean;
  name: string;
  siteId: string;
  /** Empty while none is chosen. */
  profileIds: string[];
  perHour: number | string;
  nameRule: 'off' | 'optional' | 'required';
  sendsEmail: boolean;
  sendsSms: boolean;
  printerId: string;
  idleSeconds: number | string;
  background: 'none' | 'colour' | 'picture';
  colour: string;
  /** A chosen picture as an address that holds it; empty while the stored one stays. */
  picture: string;
  limitsDevices: boolean;
  perDevice: number | string;
  deviceMinutes: string;
}

/** An address that people can type: small letters, digits and dashes. */
export const suggestSlug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[äöü]/g, (letter) => `${{ ä: 'a', ö: 'o', ü: 'u' }[letter] ?? ''}e`)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');

/** Can it be the last part of an address? */
export const isSlug = (text: string): boolean => /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/i.test(text.trim());

/** One visitor after the other at a tablet, and still nobody takes all codes. */
const usualDeviceLimit = { perDevice: 5, deviceMinutes: '5' };

const usualProfileOf = (site: KioskSite | undefined): string[] => {
  const profile = site && initialProfile(site);
  return profile ? [String(profile.id)] : [];
};

export const newKioskValues = (site: KioskSite | undefined): KioskFormValues => ({
  access: 'link',
  slug: suggestSlug(site?.name ?? ''),
  needsApproval: false,
  name: '',
  siteId: String(site?.id ?? ''),
  profileIds: usualProfileOf(site),
  perHour: 20,
  nameRule: 'off',
  sendsEmail: false,
  sendsSms: false,
  printerId: '',
  idleSeconds: 60,
  background: 'none',
  colour: '#2f6f4e',
  picture: '',
  limitsDevices: true,
  ...usualDeviceLimit,
});

export const kioskValuesOf = (kiosk: Kiosk): KioskFormValues => ({
  access: kiosk.slug === null ? 'link' : 'public',
  slug: kiosk.slug ?? '',
  needsApproval: kiosk.needsApproval,
  name: kiosk.name,
  siteId: String(kiosk.siteId),
  perHour: kiosk.perHour,
  profileIds: [kiosk.profileId, ...kiosk.moreProfileIds].map(String),
  nameRule: kiosk.requiresName ? 'required' : kiosk.asksName ? 'optional' : 'off',
  sendsEmail: kiosk.sendsEmail,
  sendsSms: kiosk.sendsSms,
  printerId: kiosk.printerId ? String(kiosk.printerId) : '',
  idleSeconds: kiosk.idleSeconds,
  background: kiosk.hasBackground ? 'picture' : kiosk.backgroundColour ? 'colour' : 'none',
  colour: kiosk.backgroundColour ?? '#2f6f4e',
  picture: '',
  limitsDevices: kiosk.perDevice !== null,
  perDevice: kiosk.perDevice ?? usualDeviceLimit.perDevice,
  deviceMinutes: kiosk.perDevice === null ? usualDeviceLimit.deviceMinutes : String(kiosk.deviceMinutes),
});

const windows = { '5': 5, '60': 60, '1440': 1440 } as const;
const isWindow = (text: string): text is keyof typeof windows => text in windows;
const windowOf = (text: string): 5 | 60 | 1440 => (isWindow(text) ? windows[text] : 60);

export const kioskBodyOf = (values: KioskFormValues): Schemas['NewKiosk'] => {
  const [profileId = 0, ...moreProfileIds] = values.profileIds.map(Number);
  return {
    name: values.name.trim(),
    siteId: Number(values.siteId),
    profileId,
    moreProfileIds,
    perHour: Number(values.perHour),
    asksName: values.nameRule !== 'off',
    requiresName: values.nameRule === 'required',
    sendsEmail: values.sendsEmail,
    sendsSms: values.sendsSms,
    slug: values.access === 'public' ? values.slug.trim().toLowerCase() : null,
    needsApproval: values.access === 'public' && values.needsApproval,
    printerId: values.access === 'public' || values.printerId === '' ? null : Number(values.printerId),
    idleSeconds: Number(values.idleSeconds),
    backgroundColour: values.background === 'colour' ? values.colour : null,
    perDevice: values.access === 'public' || values.limitsDevices ? Number(values.perDevice) : null,
    deviceMinutes: windowOf(values.deviceMinutes),
  };
};

/** Stores the picture, or removes it where another background is chosen. */
export const saveBackground = async (
  kioskId: number,
  { background, picture }: Pick<KioskFormValues, 'background' | 'picture'>,
  hasBackground: boolean,
): Promise<void> => {
  const params = { path: { kioskId } };
  if (background === 'picture' && picture !== '')
    await client.PUT('/kiosks/{kioskId}/background', { params, body: { image: base64Of(picture) } });
  else if (background !== 'picture' && hasBackground)
    await client.DELETE('/kiosks/{kioskId}/background', { params });
};
