import { Problem, Refusal } from '../errors/problem.js';
import type { GuestLanguage } from '../i18n/guestTexts.js';
import { toLabel } from '../lib/label.js';
import type { System } from '../lib/system.js';
import type { Profile } from '../profiles/profileTable.js';
import type { SiteLogoTable } from '../sites/logoTable.js';
import type { SiteDetails } from '../sites/siteTable.js';
import type { OpenNetworks, WifiNetwork } from '../sites/wifi.js';
import type { DeskOrders } from '../vouchers/deskOrders.js';
import { formatCode } from '../vouchers/record.js';
import type { OrderState, PlacedOrder } from '../vouchers/orderTable.js';
import type { StoredVoucher, VoucherTable } from '../vouchers/voucherTable.js';
import { makeHandOut, type HandOutDeps, type TakenRequest } from './kioskHandOut.js';
import { makeVoucherLimit, type Taker } from './kioskLimit.js';
import type { KioskBackground, StoredKiosk } from './kioskTable.js';
import { findKioskTexts } from './kioskTexts.js';
import {
  makeOpenKiosks,
  roleOf,
  shownNameOf,
  type KioskKey,
  type OpenKiosk,
  type OpenKioskTables,
} from './openKiosk.js';
import type { KioskTexts } from '../sites/ownTexts.js';
import type { OwnTextTable } from '../sites/ownTextTable.js';

/** SMS can be sent. */
interface SmsOffer {
  /** For numbers that are entered without one. */
  readonly countryCode: string | null;
}

/** What a tablet shows. */
export interface KioskView
  extends
    Pick<SiteDetails, 'ssid' | 'slipText' | 'hasLogo'>,
    Pick<Profile, 'maxUses' | 'expireMinutes'>,
    Pick<
      StoredKiosk,
      | 'name'
      | 'asksName'
      | 'requiresName'
      | 'sendsEmail'
      | 'idleSeconds'
      | 'backgroundColour'
      | 'needsApproval'
    > {
  readonly siteName: string;
  /** As a `data:` address. */
  readonly logo: string | null;
  /** With several, guests choose. */
  readonly profiles: readonly Omit<Profile, 'siteIds' | 'position' | 'isDefault'>[];
  /** How vouchers are sent by SMS; null when they are not. */
  readonly sms: SmsOffer | null;
  readonly canPrint: boolean;
  /** Tells the picture from another one; null without one. */
  readonly backgroundVersion: string | null;
  /** The site's own texts, in the languages that it has them in. */
  readonly texts: readonly (KioskTexts & { readonly language: GuestLanguage })[];
}

/** What a guest gets. */
export interface TakenVoucher {
  readonly state: OrderState;
  readonly code: string | null;
  readonly formattedCode: string | null;
  /** How to join the network of the site: only together with a code. */
  readonly network: WifiNetwork | undefined;
}

/** What a guest asks for. */
interface Wish {
  readonly name: string;
  /** The first of the kiosk where it is left out. */
  readonly profileId: number | undefined;
}

/** A request of a tablet, which has no session but the token of its link. */
export interface KioskRequest extends Taker, Wish {
  readonly token: string;
  readonly orderId: string;
}

/** A wish that the kiosk can fulfil. */
export interface PreparedOrder {
  readonly kiosk: StoredKiosk;
  readonly profileId: number;
  readonly name: string;
  /** Throws what `place` would refuse now. */
  check(taker: Taker): Promise<void>;
  /** Counts a request that staff have to agree to, or their approval. Returns what refunds it. */
  reserve(taker: Taker, as: 'request' | 'approval'): Promise<() => Promise<void>>;
  /** Orders the voucher. With `isCounted` it was counted before. */
  place(orderId: string, taker: Taker, how?: { readonly isCounted: boolean }): Promise<TakenVoucher>;
}

/** What guests do at kiosks. All throw `Refusal` or `Problem`, and then nothing has changed. */
export interface KioskVisits {
  view(key: KioskKey): Promise<KioskView>;
  /** The kiosk, if it gives vouchers. */
  findOpen(key: KioskKey): Promise<StoredKiosk>;
  /** Refunds what a request counted for its device. */
  refundDevice(kiosk: StoredKiosk, taker: Taker): Promise<void>;
  /** Does this kiosk tell devices apart? */
  countsDevices(key: KioskKey): Promise<boolean>;
  background(key: KioskKey): Promise<KioskBackground>;
  prepare(key: KioskKey, wish: Wish): Promise<PreparedOrder>;
  /** What became of an order of this kiosk that was placed at most so long ago. */
  findOrder(key: KioskKey, orderId: string, maxAgeMs: number): Promise<TakenVoucher>;
  /** One voucher. A repeated request is the same order, and is not counted again. */
  take(request: KioskRequest): Promise<TakenVoucher>;
  /** Sends the voucher of an order to an address, once for each id that the page chooses. */
  email(emailId: string, to: string, request: TakenRequest): Promise<void>;
  /** The same to a phone number. */
  sms(smsId: string, to: string, request: TakenRequest): Promise<void>;
  print(request: TakenRequest): Promise<'confirmed' | 'sent'>;
}

interface KioskVisitsDeps extends HandOutDeps {
  readonly tables: OpenKioskTables & {
    readonly siteLogos: SiteLogoTable;
    readonly ownTexts: Pick<OwnTextTable, 'find'>;
    readonly vouchers: VoucherTable;
  };
  readonly system: System;
  readonly orders: Pick<DeskOrders, 'place' | 'check'>;
  readonly openNetworks: OpenNetworks;
  /** Can vouchers be sent by e-mail? */
  canEmail(): Promise<boolean>;
  /** Undefined when vouchers can't be sent by SMS. */
  offerSms(): Promise<SmsOffer | undefined>;
}

export const makeKioskVisits = (deps: KioskVisitsDeps): KioskVisits => {
  const { tables, system, orders, countersByMinutes } = deps;
  const { reserve, refundDevice } = makeVoucherLimit(countersByMinutes, system);
  const kiosks = makeOpenKiosks(tables, system);
  const { findKiosk, open, findOffered, findTaken } = kiosks;

  const toTaken = async ({ site }: OpenKiosk, { id, state }: PlacedOrder): Promise<TakenVoucher> => {
    const [voucher] = await tables.vouchers.ofIntent(id);
    // Staff have taken it back.
    if (voucher?.revokedAt != null) throw new Problem('not_found');
    const network = voucher && (await deps.openNetworks([site])).get(site.id);
    return { state, ...toShownCode(voucher), network };
  };

  const prepare: KioskVisits['prepare'] = async (key, { name: given, profileId }) => {
    const opened = await open(key);
    const { kiosk, profiles } = opened;
    const { siteId, asksName, requiresName } = kiosk;
    const profile = profileId === undefined ? profiles[0] : profiles.find(({ id }) => id === profileId);
    if (!profile) throw new Refusal('unknown-profile', 'the kiosk does not offer this profile');
    if (requiresName && given === '')
      throw new Refusal('guest-name-required', 'this kiosk asks for a name', 'invalid');
    const name = asksName && given !== '' ? toLabel(given) : '';
    const input = { siteId, profileId: profile.id, name, count: 1, limits: null };
    const ordererFor = ({ address }: Taker) => ({
      origin: roleOf(kiosk),
      actorName: shownNameOf(opened),
      userId: null,
      kioskId: kiosk.id,
      role: roleOf(kiosk),
      address,
      mayOrderFor: (id: number) => id === siteId,
    });
    return {
      kiosk,
      profileId: profile.id,
      name,
      check: (taker) => orders.check(input, ordererFor(taker)),
      reserve: (taker, as) => reserve(kiosk, taker, as),
      place: async (orderId, taker, { isCounted } = { isCounted: false }) => {
        const orderer = {
          ...ordererFor(taker),
          ...(!isCounted && { reserve: () => reserve(kiosk, taker, 'voucher') }),
        };
        return toTaken(opened, await orders.place(orderId, input, orderer));
      },
    };
  };

  return {
    view: async (key) => {
      const opened = await open(key);
      const { kiosk, site } = opened;
      const profiles = await findOffered(opened);
      const [logo, background] = [
        site.hasLogo ? await tables.siteLogos.find(site.id) : undefined,
        (await tables.kiosks.backgroundVersions(kiosk.id)).get(kiosk.id),
      ];
      const { name, asksName, requiresName, idleSeconds, backgroundColour, needsApproval } = kiosk;
      return {
        siteName: site.name,
        ssid: site.ssid,
        slipText: site.slipText,
        hasLogo: site.hasLogo,
        logo: logo ? `data:${logo.mediaType};base64,${logo.image.toString('base64')}` : null,
        name,
        asksName,
        requiresName,
        idleSeconds,
        backgroundColour,
        needsApproval,
        expireMinutes: profiles[0].expireMinutes,
        maxUses: profiles[0].maxUses,
        profiles: profiles.map(
          ({ siteIds: _sites, position: _place, isDefault: _default, ...profile }) => profile,
        ),
        sendsEmail: kiosk.sendsEmail && (await deps.canEmail()),
        sms: (kiosk.sendsSms && (await deps.offerSms())) || null,
        canPrint: kiosk.printerId !== null,
        backgroundVersion: background ?? null,
        texts: await findKioskTexts(tables.ownTexts, site, profiles[0]),
      };
    },
    findOpen: async (key) => (await open(key)).kiosk,
    refundDevice,
    countsDevices: async (key) => (await findKiosk(key)).perDevice !== null,
    background: async (key) => {
      const { kiosk } = await open(key);
      const background = await tables.kiosks.background(kiosk.id);
      if (!background) throw new Problem('not_found');
      return background;
    },
    prepare,
    findOrder: async (key, orderId, maxAgeMs) => {
      const opened = await open(key);
      return toTaken(opened, await findTaken(opened, orderId, maxAgeMs));
    },
    take: async ({ token, orderId, name, profileId, ...taker }) =>
      (await prepare({ token }, { name, profileId })).place(orderId, taker),
    ...makeHandOut(deps, kiosks, tables.vouchers),
  };
};

const toShownCode = (
  voucher: Pick<StoredVoucher, 'code' | 'codeBlock'> | undefined,
): Pick<TakenVoucher, 'code' | 'formattedCode'> =>
  voucher
    ? { code: voucher.code, formattedCode: formatCode(voucher.code, voucher.codeBlock) }
    : { code: null, formattedCode: null };
