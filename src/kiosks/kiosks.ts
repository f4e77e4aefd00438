import { hash } from 'node:crypto';
import type { WindowCounter } from '../rateLimit/windowCounter.js';
import { Problem, Refusal } from '../errors/problem.js';
import type { System } from '../lib/system.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import type { VoucherLimits } from '../controllers/voucherLimits.js';
import type { StoredKiosk, KioskTable } from './kioskTable.js';
import type { OrderState } from '../vouchers/orderTable.js';
import { makeReserveVoucher } from './kioskLimit.js';
import type { Profile, ProfileTable } from '../profiles/profileTable.js';
import type { SiteDetails, SiteTable } from '../sites/siteTable.js';
import type { DeskOrders } from '../vouchers/deskOrders.js';
import type { SiteLogoTable } from '../sites/logoTable.js';
import type { VoucherTable } from '../vouchers/voucherTable.js';

/** What an administrator decides of a kiosk. */
export type KioskInput = Pick<StoredKiosk, 'siteId' | 'profileId' | 'perHour' | 'asksName'>;

/** A kiosk as administrators see it. */
export interface Kiosk extends Omit<StoredKiosk, 'tokenHash'> {
  readonly siteName: string;
  readonly profileName: string;
}

/** What a tablet shows. */
export interface KioskView
  extends
    Pick<SiteDetails, 'ssid' | 'slipText' | 'hasLogo'>,
    Pick<VoucherLimits, 'maxUses' | 'expireMinutes'> {
  readonly siteName: string;
  /** As a `data:` address. */
  readonly logo: string | null;
  readonly asksName: boolean;
}

/** What a guest gets. */
export interface TakenVoucher {
  readonly state: OrderState;
  readonly code: string | null;
}

/** A request of a tablet, which has no session but the token of its link. */
export interface KioskRequest {
  readonly token: string;
  readonly orderId: string;
  readonly name: string;
  readonly address: string;
}

/** Tablets where guests take vouchers themselves. All throw `Refusal` or `Problem`, and then nothing has changed. */
export interface Kiosks {
  /** The newest first. */
  list(): Promise<Kiosk[]>;
  /** Adds a kiosk and returns the token of its link, once. */
  add(input: KioskInput, actor: Actor): Promise<{ readonly kiosk: Kiosk; readonly token: string }>;
  /** Withdraws its link: from then on no process accepts the token. */
  remove(id: number, actor: Actor): Promise<void>;
  view(token: string): Promise<KioskView>;
  /** One voucher. A repeated request is the same order, and is not counted again. */
  take(request: KioskRequest): Promise<TakenVoucher>;
}

/** The tables that kiosks read and write. */
interface KioskTables {
  readonly kiosks: KioskTable;
  readonly sites: SiteTable;
  readonly siteLogos: SiteLogoTable;
  readonly profiles: ProfileTable;
  readonly vouchers: VoucherTable;
}

interface KiosksDeps {
  readonly tables: KioskTables;
  readonly system: System;
  readonly orders: Pick<DeskOrders, 'place'>;
  /** Counts in windows of `kioskWindowMs`: see kioskLimit.ts. */
  readonly counter: WindowCounter;
}

/** A kiosk with what it is for. */
interface OpenKiosk {
  readonly kiosk: StoredKiosk;
  readonly site: SiteDetails;
  readonly profile: Profile;
}

export const makeKiosks = ({ tables, system, orders, counter }: KiosksDeps): Kiosks => {
  const reserve = makeReserveVoucher(counter, system);

  const findSite = async (id: number): Promise<SiteDetails | undefined> =>
    (await tables.sites.details()).find((site) => site.id === id);

  const findProfile = async (id: number, siteId: number): Promise<Profile | undefined> =>
    (await tables.profiles.all()).find(
      (profile) => profile.id === id && profile.siteIds?.includes(siteId) !== false,
    );

  /** Looked up each time, so that a withdrawn link is dead at once. */
  const open = async (token: string): Promise<OpenKiosk> => {
    const kiosk = await tables.kiosks.find(hashToken(token));
    const site = kiosk && (await findSite(kiosk.siteId));
    const profile = kiosk && (await findProfile(kiosk.profileId, kiosk.siteId));
    if (!site?.active || !profile) throw new Problem('not_found');
    return { kiosk, site, profile };
  };

  const toKiosk = (
    { tokenHash: _, ...kiosk }: StoredKiosk,
    siteName: string,
    profileName: string,
  ): Kiosk => ({ ...kiosk, siteName, profileName });

  return {
    list: async () => {
      const [kiosks, sites, profiles] = [
        await tables.kiosks.all(),
        await tables.sites.all(),
        await tables.profiles.all(),
      ];
      const nameOf = (all: readonly { id: number; name: string }[], id: number): string =>
        all.find((one) => one.id === id)?.name ?? '';
      return kiosks.map((kiosk) =>
        toKiosk(kiosk, nameOf(sites, kiosk.siteId), nameOf(profiles, kiosk.profileId)),
      );
    },
    add: async ({ siteId, profileId, perHour, asksName }, actor) => {
      const site = await findSite(siteId);
      if (!site) throw new Refusal('unknown-site', 'there is no such site');
      const profile = await findProfile(profileId, siteId);
      if (!profile)
        throw new Refusal('unknown-profile', 'there is no such profile, or it is not for this site');
      const token = system.randomBytes(32).toString('base64url');
      const kiosk = {
        ...{ siteId, profileId, perHour, asksName, tokenHash: hashToken(token) },
        ...{ createdAt: system.now(), createdBy: actor.name ?? '' },
      };
      const detail = { siteId, profile: profile.name, perHour, asksName };
      const audit = draftAudit(actor, 'kiosk.add', system.now(), detail);
      const id = await tables.kiosks.add(kiosk, site.name, audit);
      return { kiosk: toKiosk({ ...kiosk, id }, site.name, profile.name), token };
    },
    remove: async (id, actor) => {
      if (!(await tables.kiosks.remove(id, draftAudit(actor, 'kiosk.remove', system.now()))))
        throw new Problem('not_found');
    },
    view: async (token) => {
      const { kiosk, site, profile } = await open(token);
      const logo = await tables.siteLogos.find(site.id);
      return {
        siteName: site.name,
        ...{ ssid: site.ssid, slipText: site.slipText, hasLogo: site.hasLogo },
        logo: logo ? `data:${logo.mediaType};base64,${logo.image.toString('base64')}` : null,
        asksName: kiosk.asksName,
        ...{ expireMinutes: profile.expireMinutes, maxUses: profile.maxUses },
      };
    },
    take: async ({ token, orderId, name, address }) => {
      const { kiosk, site } = await open(token);
      const { siteId, profileId, asksName } = kiosk;
      const input = { siteId, profileId, name: asksName ? name : '', count: 1, limits: null };
      const orderer = {
        ...({ origin: 'kiosk', actorName: site.name, userId: null, kioskId: kiosk.id, address } as const),
        mayOrderFor: (id: number) => id === siteId,
        reserve: () => reserve(kiosk),
      };
      const { id, state } = await orders.place(orderId, input, orderer);
      const [voucher] = await tables.vouchers.ofIntent(id);
      return { state, code: voucher?.code ?? null };
    },
  };
};

const hashToken = (token: string): string => hash('sha256', token, 'hex');
