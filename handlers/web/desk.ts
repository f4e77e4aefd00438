import { limitRangesOf } from '../../src/controllers/keptLimits.js';
import { findDefaultProfile } from '../../src/profiles/profiles.js';
import { allowsProfile, unlimitedAllowance } from '../../src/vouchers/orderAllowances.js';
import type { WebHandlers } from './handler.js';
import { toOrderReply } from './replies.js';
import { seesSite } from '../../src/sites/siteScope.js';

export const deskHandlers = {
  getDesk: async (
    { principal, reply },
    { sites, profiles, printers, emails, sms, openNetworks, findAllowances, findKeptLimits },
  ) => {
    const { user } = principal;
    const visible = (await sites.list(user)).filter(({ active }) => active);
    const siteIds = visible.map(({ id }) => id);
    const [known, allPrinters, networks, allowances, keptLimits] = await Promise.all([
      profiles.list(user),
      printers.list(),
      openNetworks(visible),
      findAllowances(user, siteIds),
      findKeptLimits(siteIds),
    ]);
    return reply(200, {
      sites: visible.map((site) => {
        const { id, name, ssid, slipText, hasLogo } = site;
        const kept = keptLimits.get(id);
        const own = allowances.get(id) ?? unlimitedAllowance;
        const allowance = { ...own, maxCount: leastOf(own.maxCount, kept?.maxPerOrder ?? null) };
        const offered = known.filter(
          (profile) => profile.siteIds?.includes(id) !== false && allowsProfile(allowance, profile),
        );
        return {
          id,
          name,
          ssid,
          slipText,
          hasLogo,
          slipPaper: site.slipPaper,
          printAtOnce: site.printAtOnce,
          printerId: site.printerId,
          wifiPassword: networks.get(id)?.password ?? null,
          wifiJoinText: networks.get(id)?.joinText ?? null,
          defaultProfileId: findDefaultProfile(site, offered)?.id ?? null,
          profiles: offered.map(
            ({ siteIds: _sites, position: _place, isDefault: _default, ...profile }) => profile,
          ),
          printers: allPrinters
            .filter(({ siteIds }) => siteIds?.includes(id) !== false)
            .map((printer) => ({ id: printer.id, name: printer.name })),
          allowance,
          limitRanges: kept ? limitRangesOf(kept) : null,
        };
      }),
      hasEmail: await emails.isSetUp(),
      sms: (await sms.offer()) ?? null,
    });
  },

  getOrder: async ({ input, principal, reply }, { orders }) =>
    reply(200, toOrderReply(await orders.view(await orders.find(input.path.orderId, principal.user)))),

  listOrders: async ({ principal, reply }, { orders }) =>
    reply(200, { orders: (await orders.list(principal.user)).map(toOrderReply) }),

  createOrder: async ({ input, principal, reply, client }, { orders }) => {
    const { user } = principal;
    const order = await orders.place(input.path.orderId, input.body, {
      userId: user.id,
      kioskId: null,
      origin: 'desk',
      role: user.role,
      actorName: user.name,
      address: client.address,
      mayOrderFor: (siteId) => seesSite(user, siteId),
    });
    return reply(200, toOrderReply(await orders.view(order)));
  },
} satisfies Partial<WebHandlers>;

/** The smaller one; null is no limit. */
const leastOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
