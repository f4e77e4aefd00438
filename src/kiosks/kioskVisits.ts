import { Problem, Refusal } from '../errors/problem.js';
import type { GuestLanguage } from '../i18n/guestTexts.js';
import { toLabel } from '../lib/label.js';
import type { System } from '../lib/system.js';
import { limitExceeded } from '../rateLimit/windowCounter.js';
import type { Actor } from '../audit/audit.js';
import { allowsLimits, findOrderLimit } from '../orderLimits/orderLimits.js';
import type { OrderLimitTable } from '../orderLimits/orderLimitTable.js';
import type { Profile, ProfileTable } from '../profiles/profileTable.js';
import type { SiteLogoTable } from '../sites/logoTable.js';
import type { SiteDetails, SiteTable } from '../sites/siteTable.js';
import type { OpenNetworks, WifiNetwork } from '../sites/wifi.js';
import type { DeskOrders } from '../vouchers/deskOrders.js';
import { formatCode } from '../vouchers/record.js';
import type { OrderState, OrderTable, PlacedOrder } from '../vouchers/orderTable.js';
import type { StoredVoucher, VoucherTable } from '../vouchers/voucherTable.js';
import { isForSite } from './kioskInput.js';
import { kioskWindowMs, makeVoucherLimit, type CountersByMinutes, type Taker } from './kioskLimit.js';
import type { KioskBackground, KioskTable, StoredKiosk } from './kioskTable.js';
import { hashToken } from './kiosks.js';
import { findKioskTexts } from './kioskTexts.js';
import type { KioskTexts } from '../sites/ownTexts.js';
import type { OwnTextTable } from '../sites/ownTextTable.js';

/** How a kiosk is found: by the token of its link, by its public address, or by its id. */
export type KioskKey = { readonly token: string } | { readonly slug: string } | { readonly kioskId: number };

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

/** A voucher that was just taken, to be sent or printed. */
interface TakenRequest {
  readonly key: KioskKey;
  readonly orderId: string;
  readonly language: GuestLanguage;
  readonly address: string;
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

/** A voucher on its way to a guest, and who is counted as its sender. */
interface GuestMessage {
  readonly voucherId: number;
  readonly siteId: number;
  readonly to: string;
  readonly language: GuestLanguage;
  readonly sender: string;
  readonly maxPerHour: number;
  /** Of the guest at a public page; null at a kiosk, where all guests have the same. */
  readonly guestAddress: string | null;
}

interface KioskVisitsDeps {
  readonly tables: {
    readonly kiosks: KioskTable;
    readonly sites: SiteTable;
    readonly siteLogos: SiteLogoTable;
    readonly ownTexts: Pick<OwnTextTable, 'find'>;
    readonly profiles: ProfileTable;
    readonly orderLimits: Pick<OrderLimitTable, 'all'>;
    readonly orders: Pick<OrderTable, 'find'>;
    readonly vouchers: VoucherTable;
  };
  readonly system: System;
  readonly orders: Pick<DeskOrders, 'place' | 'check'>;
  readonly openNetworks: OpenNetworks;
  readonly countersByMinutes: CountersByMinutes;
  /** Can vouchers be sent by e-mail? */
  canEmail(): Promise<boolean>;
  sendEmail(id: string, email: GuestMessage, actor: Actor): Promise<void>;
  /** Undefined when vouchers can't be sent by SMS. */
  offerSms(): Promise<SmsOffer | undefined>;
  sendSms(id: string, sms: GuestMessage, actor: Actor): Promise<void>;
  print(
    printerId: number,
    voucher: { readonly voucherId: number; readonly siteId: number; readonly language: GuestLanguage },
  ): Promise<'confirmed' | 'sent'>;
}

/** A kiosk with what it is for. */
interface OpenKiosk {
  readonly kiosk: StoredKiosk;
  readonly site: SiteDetails;
  /** At least one. */
  readonly profiles: readonly [Profile, ...Profile[]];
}

/** Whose limits apply, and who orders: a public page is not a kiosk. */
const roleOf = ({ slug }: Pick<StoredKiosk, 'slug'>): 'kiosk' | 'guest' =>
  slug === null ? 'kiosk' : 'guest';

/** For this long after it was taken, a voucher is sent and printed at its kiosk. */
const handOutMs = 30 * 60_000;
const maxPrintsPerOrder = 3;

export const makeKioskVisits = (deps: KioskVisitsDeps): KioskVisits => {
  const { tables, system, orders, countersByMinutes } = deps;
  const { reserve, refundDevice } = makeVoucherLimit(countersByMinutes, system);

  const findKiosk = async (key: KioskKey): Promise<StoredKiosk> => {
    const kiosk =
      'token' in key
        ? await tables.kiosks.find(hashToken(key.token))
        : await tables.kiosks.findBy('slug' in key ? { slug: key.slug.toLowerCase() } : { id: key.kioskId });
    // A public page has no link: without the address nobody passes its puzzle.
    if (!kiosk || ('token' in key && kiosk.slug !== null)) throw new Problem('not_found');
    return kiosk;
  };

  /** Looked up each time, so that a withdrawn link is dead at once. */
  const open = async (key: KioskKey): Promise<OpenKiosk> => {
    const kiosk = await findKiosk(key);
    const { siteId, profileId, moreProfileIds } = kiosk;
    const [site] = await tables.sites.details([siteId]);
    const profileIds = [profileId, ...moreProfileIds];
    const known = await tables.profiles.all(profileIds);
    const [first, ...others] = profileIds.flatMap(
      (id) => known.find((profile) => profile.id === id && isForSite(profile, siteId)) ?? [],
    );
    if (!site?.active || !first) throw new Problem('not_found');
    return { kiosk, site, profiles: [first, ...others] };
  };

  /** Without the profiles that a limit does not allow: their orders are refused. */
  const findOffered = async ({ kiosk, site, profiles }: OpenKiosk): Promise<OpenKiosk['profiles']> => {
    const rule = findOrderLimit(await tables.orderLimits.all(), roleOf(kiosk), site.id);
    const [first, ...others] = profiles.filter((profile) => !rule || allowsLimits(rule, profile));
    if (!first) throw new Problem('not_found');
    return [first, ...others];
  };

  const actorName = ({ kiosk, site }: OpenKiosk): string => kiosk.name || site.name;

  /** An order of this kiosk that was placed lately. */
  const findTaken = async ({ kiosk }: OpenKiosk, orderId: string, maxAgeMs: number): Promise<PlacedOrder> => {
    const order = await tables.orders.find(orderId.toLowerCase());
    const isRecent = order !== undefined && Math.abs(system.now() - order.createdAt) < maxAgeMs;
    if (!isRecent || order.kioskId !== kiosk.id || order.siteId !== kiosk.siteId)
      throw new Problem('not_found');
    return order;
  };

  const findVoucherId = async (opened: OpenKiosk, { orderId }: TakenRequest): Promise<number> => {
    const { id } = await findTaken(opened, orderId, handOutMs);
    const [voucher] = await tables.vouchers.ofIntent(id);
    if (!voucher) throw new Problem('not_found');
    return voucher.id;
  };

  const toMessage = async (opened: OpenKiosk, to: string, request: TakenRequest): Promise<GuestMessage> => {
    const { id, siteId, perHour, slug } = opened.kiosk;
    return {
      ...{ voucherId: await findVoucherId(opened, request), siteId, to, language: request.language },
      ...{ sender: `kiosk:${String(id)}`, maxPerHour: perHour },
      guestAddress: slug === null ? null : request.address,
    };
  };

  const actorOf = (opened: OpenKiosk, { address }: TakenRequest): Actor => ({
    kind: roleOf(opened.kiosk),
    name: actorName(opened),
    address,
  });

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
      ...({ origin: roleOf(kiosk), actorName: actorName(opened), userId: null, kioskId: kiosk.id } as const),
      ...{ role: roleOf(kiosk), address, mayOrderFor: (id: number) => id === siteId },
    });
    return {
      ...{ kiosk, profileId: profile.id, name },
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
        ...{ ssid: site.ssid, slipText: site.slipText, hasLogo: site.hasLogo },
        logo: logo ? `data:${logo.mediaType};base64,${logo.image.toString('base64')}` : null,
        ...{ name, asksName, requiresName, idleSeconds, backgroundColour, needsApproval },
        ...{ expireMinutes: profiles[0].expireMinutes, maxUses: profiles[0].maxUses },
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
    email: async (emailId, to, request) => {
      const opened = await open(request.key);
      if (!opened.kiosk.sendsEmail) throw new Refusal('kiosk-email-off', 'this kiosk sends no e-mails');
      await deps.sendEmail(emailId, await toMessage(opened, to, request), actorOf(opened, request));
    },
    sms: async (smsId, to, request) => {
      const opened = await open(request.key);
      if (!opened.kiosk.sendsSms) throw new Refusal('kiosk-sms-off', 'this kiosk sends no SMS');
      await deps.sendSms(smsId, await toMessage(opened, to, request), actorOf(opened, request));
    },
    print: async (request) => {
      const opened = await open(request.key);
      const { kiosk } = opened;
      if (kiosk.printerId === null) throw new Refusal('kiosk-print-off', 'this kiosk has no printer');
      const voucherId = await findVoucherId(opened, request);
      const printed = await countersByMinutes(kioskWindowMs / 60_000).count(
        `kiosk-print:${request.orderId.toLowerCase()}`,
      );
      if (printed.points > maxPrintsPerOrder) throw limitExceeded(printed, kioskWindowMs);
      return deps.print(kiosk.printerId, { voucherId, siteId: kiosk.siteId, language: request.language });
    },
  };
};

const toShownCode = (
  voucher: Pick<StoredVoucher, 'code' | 'codeBlock'> | undefined,
): Pick<TakenVoucher, 'code' | 'formattedCode'> =>
  voucher
    ? { code: voucher.code, formattedCode: formatCode(voucher.code, voucher.codeBlock) }
    : { code: null, formattedCode: null };
