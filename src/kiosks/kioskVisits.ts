import { Problem, Refusal } from '../errors/problem.js';
import type { GuestLanguage } from '../i18n/guestTexts.js';
import type { System } from '../lib/system.js';
import { limitExceeded } from '../rateLimit/windowCounter.js';
import type { Actor } from '../audit/audit.js';
import type { Profile, ProfileTable } from '../profiles/profileTable.js';
import type { SiteLogoTable } from '../sites/logoTable.js';
import type { SiteDetails, SiteTable } from '../sites/siteTable.js';
import type { OpenNetworks, WifiNetwork } from '../sites/wifi.js';
import type { DeskOrders } from '../vouchers/deskOrders.js';
import type { OrderState, OrderTable } from '../vouchers/orderTable.js';
import type { VoucherTable } from '../vouchers/voucherTable.js';
import { isForSite } from './kioskInput.js';
import { kioskWindowMs, makeReserveVoucher, type CountersByMinutes, type Taker } from './kioskLimit.js';
import type { KioskBackground, KioskTable, StoredKiosk } from './kioskTable.js';
import { hashToken } from './kiosks.js';

/** What a tablet shows. */
export interface KioskView
  extends
    Pick<SiteDetails, 'ssid' | 'slipText' | 'hasLogo'>,
    Pick<Profile, 'maxUses' | 'expireMinutes'>,
    Pick<
      StoredKiosk,
      'name' | 'asksName' | 'requiresName' | 'sendsEmail' | 'idleSeconds' | 'backgroundColour'
    > {
  readonly siteName: string;
  /** As a `data:` address. */
  readonly logo: string | null;
  /** With several, guests choose. */
  readonly profiles: readonly Omit<Profile, 'siteIds' | 'position' | 'isDefault'>[];
  readonly canPrint: boolean;
  /** Tells the picture from another one; null without one. */
  readonly backgroundVersion: string | null;
}

/** What a guest gets. */
export interface TakenVoucher {
  readonly state: OrderState;
  readonly code: string | null;
  /** How to join the network of the site: only together with a code. */
  readonly network: WifiNetwork | undefined;
}

/** A request of a tablet, which has no session but the token of its link. */
export interface KioskRequest extends Taker {
  readonly token: string;
  readonly orderId: string;
  readonly name: string;
  /** The first of the kiosk where it is left out. */
  readonly profileId: number | undefined;
}

/** A voucher that was just taken, to be sent or printed. */
interface TakenRequest {
  readonly token: string;
  readonly orderId: string;
  readonly language: GuestLanguage;
  readonly address: string;
}

/** What guests do at kiosks. All throw `Refusal` or `Problem`, and then nothing has changed. */
export interface KioskVisits {
  view(token: string): Promise<KioskView>;
  /** Does this kiosk tell devices apart? */
  countsDevices(token: string): Promise<boolean>;
  background(token: string): Promise<KioskBackground>;
  /** One voucher. A repeated request is the same order, and is not counted again. */
  take(request: KioskRequest): Promise<TakenVoucher>;
  /** Sends the voucher of an order to an address, once for each id that the page chooses. */
  email(emailId: string, to: string, request: TakenRequest): Promise<void>;
  print(request: TakenRequest): Promise<'confirmed' | 'sent'>;
}

/** A voucher on its way to a guest, and who is counted as its sender. */
interface GuestEmail {
  readonly voucherId: number;
  readonly siteId: number;
  readonly to: string;
  readonly language: GuestLanguage;
  readonly sender: string;
  readonly maxPerHour: number;
}

interface KioskVisitsDeps {
  readonly tables: {
    readonly kiosks: KioskTable;
    readonly sites: SiteTable;
    readonly siteLogos: SiteLogoTable;
    readonly profiles: ProfileTable;
    readonly orders: Pick<OrderTable, 'find'>;
    readonly vouchers: VoucherTable;
  };
  readonly system: System;
  readonly orders: Pick<DeskOrders, 'place'>;
  readonly openNetworks: OpenNetworks;
  readonly countersByMinutes: CountersByMinutes;
  /** Can vouchers be sent by e-mail? */
  canEmail(): boolean;
  sendEmail(id: string, email: GuestEmail, actor: Actor): Promise<void>;
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

/** For this long after it was taken, a voucher is sent and printed at its kiosk. */
const handOutMs = 30 * 60_000;
const maxPrintsPerOrder = 3;

export const makeKioskVisits = (deps: KioskVisitsDeps): KioskVisits => {
  const { tables, system, orders, countersByMinutes } = deps;
  const reserve = makeReserveVoucher(countersByMinutes, system);

  const findKiosk = async (token: string): Promise<StoredKiosk> => {
    const kiosk = await tables.kiosks.find(hashToken(token));
    if (!kiosk) throw new Problem('not_found');
    return kiosk;
  };

  /** Looked up each time, so that a withdrawn link is dead at once. */
  const open = async (token: string): Promise<OpenKiosk> => {
    const kiosk = await findKiosk(token);
    const { siteId, profileId, moreProfileIds } = kiosk;
    const site = (await tables.sites.details()).find(({ id }) => id === siteId);
    const known = await tables.profiles.all();
    const [first, ...others] = [profileId, ...moreProfileIds].flatMap(
      (id) => known.find((profile) => profile.id === id && isForSite(profile, siteId)) ?? [],
    );
    if (!site?.active || !first) throw new Problem('not_found');
    return { kiosk, site, profiles: [first, ...others] };
  };

  const actorName = ({ kiosk, site }: OpenKiosk): string => kiosk.name || site.name;

  /** The voucher of an order of this kiosk that was just placed. */
  const findTaken = async (
    { kiosk }: OpenKiosk,
    { orderId }: Pick<TakenRequest, 'orderId'>,
  ): Promise<number> => {
    const order = await tables.orders.find(orderId.toLowerCase());
    const isRecent = order !== undefined && Math.abs(system.now() - order.createdAt) < handOutMs;
    if (!isRecent || order.kioskId !== kiosk.id || order.siteId !== kiosk.siteId)
      throw new Problem('not_found');
    const [voucher] = await tables.vouchers.ofIntent(order.id);
    if (!voucher) throw new Problem('not_found');
    return voucher.id;
  };

  return {
    view: async (token) => {
      const { kiosk, site, profiles } = await open(token);
      const [logo, background] = [
        await tables.siteLogos.find(site.id),
        (await tables.kiosks.backgroundVersions()).get(kiosk.id),
      ];
      const { name, asksName, requiresName, idleSeconds, backgroundColour } = kiosk;
      return {
        siteName: site.name,
        ...{ ssid: site.ssid, slipText: site.slipText, hasLogo: site.hasLogo },
        logo: logo ? `data:${logo.mediaType};base64,${logo.image.toString('base64')}` : null,
        ...{ name, asksName, requiresName, idleSeconds, backgroundColour },
        ...{ expireMinutes: profiles[0].expireMinutes, maxUses: profiles[0].maxUses },
        profiles: profiles.map(
          ({ siteIds: _sites, position: _place, isDefault: _default, ...profile }) => profile,
        ),
        sendsEmail: kiosk.sendsEmail && deps.canEmail(),
        canPrint: kiosk.printerId !== null,
        backgroundVersion: background ?? null,
      };
    },
    countsDevices: async (token) => (await findKiosk(token)).perDevice !== null,
    background: async (token) => {
      const { kiosk } = await open(token);
      const background = await tables.kiosks.background(kiosk.id);
      if (!background) throw new Problem('not_found');
      return background;
    },
    take: async ({ token, orderId, name, profileId, ...taker }) => {
      const opened = await open(token);
      const { kiosk, site, profiles } = opened;
      const { siteId, asksName, requiresName } = kiosk;
      const profile = profileId === undefined ? profiles[0] : profiles.find(({ id }) => id === profileId);
      if (!profile) throw new Refusal('unknown-profile', 'the kiosk does not offer this profile');
      if (requiresName && name === '')
        throw new Refusal('guest-name-required', 'this kiosk asks for a name', 'invalid');
      const input = {
        ...{ siteId, profileId: profile.id, name: asksName ? name : '' },
        ...{ count: 1, limits: null },
      };
      const orderer = {
        ...({ origin: 'kiosk', role: 'kiosk', actorName: actorName(opened) } as const),
        ...({ userId: null, kioskId: kiosk.id } as const),
        address: taker.address,
        mayOrderFor: (id: number) => id === siteId,
        reserve: () => reserve(kiosk, taker),
      };
      const { id, state } = await orders.place(orderId, input, orderer);
      const [voucher] = await tables.vouchers.ofIntent(id);
      const network = voucher && (await deps.openNetworks([site])).get(siteId);
      return { state, code: voucher?.code ?? null, network };
    },
    email: async (emailId, to, request) => {
      const opened = await open(request.token);
      const { kiosk } = opened;
      if (!kiosk.sendsEmail) throw new Refusal('kiosk-email-off', 'this kiosk sends no e-mails');
      const email = {
        ...{ voucherId: await findTaken(opened, request), siteId: kiosk.siteId, to },
        ...{ language: request.language, sender: `kiosk:${String(kiosk.id)}`, maxPerHour: kiosk.perHour },
      };
      const actor = { kind: 'kiosk', name: actorName(opened), address: request.address } as const;
      await deps.sendEmail(emailId, email, actor);
    },
    print: async (request) => {
      const opened = await open(request.token);
      const { kiosk } = opened;
      if (kiosk.printerId === null) throw new Refusal('kiosk-print-off', 'this kiosk has no printer');
      const voucherId = await findTaken(opened, request);
      const printed = await countersByMinutes(kioskWindowMs / 60_000).count(
        `kiosk-print:${request.orderId.toLowerCase()}`,
      );
      if (printed.points > maxPrintsPerOrder) throw limitExceeded(printed, kioskWindowMs);
      return deps.print(kiosk.printerId, { voucherId, siteId: kiosk.siteId, language: request.language });
    },
  };
};
