import { Problem } from '../errors/problem.js';
import type { System } from '../lib/system.js';
import { allowsLimits, findOrderLimit } from '../orderLimits/orderLimits.js';
import type { OrderLimitTable } from '../orderLimits/orderLimitTable.js';
import type { Profile, ProfileTable } from '../profiles/profileTable.js';
import type { SiteDetails, SiteTable } from '../sites/siteTable.js';
import type { OrderTable, PlacedOrder } from '../vouchers/orderTable.js';
import { isForSite } from './kioskInput.js';
import { hashToken } from './kiosks.js';
import type { KioskTable, StoredKiosk } from './kioskTable.js';

/** How a kiosk is found: by the token of its link, by its public address, or by its id. */
export type KioskKey = { readonly token: string } | { readonly slug: string } | { readonly kioskId: number };

/** A kiosk with what it is for. */
export interface OpenKiosk {
  readonly kiosk: StoredKiosk;
  readonly site: SiteDetails;
  /** At least one. */
  readonly profiles: readonly [Profile, ...Profile[]];
}

/** Whose limits apply, and who orders: a public page is not a kiosk. */
export const roleOf = ({ slug }: Pick<StoredKiosk, 'slug'>): 'kiosk' | 'guest' =>
  slug === null ? 'kiosk' : 'guest';

/** What the audit log calls it. */
export const shownNameOf = ({ kiosk, site }: OpenKiosk): string => kiosk.name || site.name;

export interface OpenKioskTables {
  readonly kiosks: KioskTable;
  readonly sites: SiteTable;
  readonly profiles: ProfileTable;
  readonly orderLimits: Pick<OrderLimitTable, 'all'>;
  readonly orders: Pick<OrderTable, 'find'>;
}

/** Finds kiosks that give vouchers, and what was ordered there. All throw `Problem` when there is none. */
export const makeOpenKiosks = (tables: OpenKioskTables, system: Pick<System, 'now'>) => {
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

  /** An order of this kiosk that was placed lately. */
  const findTaken = async ({ kiosk }: OpenKiosk, orderId: string, maxAgeMs: number): Promise<PlacedOrder> => {
    const order = await tables.orders.find(orderId.toLowerCase());
    const isRecent = order !== undefined && Math.abs(system.now() - order.createdAt) < maxAgeMs;
    if (!isRecent || order.kioskId !== kiosk.id || order.siteId !== kiosk.siteId)
      throw new Problem('not_found');
    return order;
  };

  return { findKiosk, open, findOffered, findTaken };
};
