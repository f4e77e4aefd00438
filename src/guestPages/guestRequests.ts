import { draftAudit, type Actor } from '../audit/audit.js';
import { Problem, Refusal } from '../errors/problem.js';
import type { System } from '../lib/system.js';
import type { KioskTable } from '../kiosks/kioskTable.js';
import type { KioskVisits, TakenVoucher } from '../kiosks/kioskVisits.js';
import type { ProfileTable } from '../profiles/profileTable.js';
import { seesSite, type SiteScope } from '../sites/siteScope.js';
import type { SiteTable } from '../sites/siteTable.js';
import { belongsTo, placeApproved, requestMs, reserveApproval } from './guestPages.js';
import type { GuestRequest, GuestRequestTable } from './guestRequestTable.js';

/** A request as staff see it. */
export interface WaitingRequest extends Pick<GuestRequest, 'id' | 'siteId' | 'name' | 'createdAt'> {
  readonly siteName: string;
  /** What the page is called where it was asked. */
  readonly pageName: string;
  readonly profileName: string;
  readonly expiresAt: number;
}

/** What guests have asked for, and staff have to agree to. All throw `Refusal` or `Problem`. */
export interface GuestRequests {
  /** Those of the viewer's sites, the oldest first; and whether a page of these sites asks staff at all. */
  list(viewer: SiteScope): Promise<{ readonly requests: WaitingRequest[]; readonly isAsked: boolean }>;
  approve(id: string, viewer: SiteScope, actor: Actor): Promise<TakenVoucher>;
  refuse(id: string, viewer: SiteScope, actor: Actor): Promise<void>;
}

interface GuestRequestsDeps {
  readonly tables: {
    readonly guestRequests: GuestRequestTable;
    readonly kiosks: KioskTable;
    readonly profiles: ProfileTable;
    readonly sites: SiteTable;
  };
  readonly visits: Pick<KioskVisits, 'prepare'>;
  readonly system: System;
}

export const makeGuestRequests = ({ tables, visits, system }: GuestRequestsDeps): GuestRequests => {
  const { guestRequests } = tables;

  const isOfPage = async (request: GuestRequest): Promise<boolean> => {
    const kiosk = await tables.kiosks.findBy({ id: request.kioskId });
    return kiosk !== undefined && belongsTo(request, kiosk);
  };

  const find = async (id: string, viewer: SiteScope): Promise<GuestRequest> => {
    const request = await guestRequests.find(id.toLowerCase());
    if (!request || !seesSite(viewer, request.siteId) || !(await isOfPage(request)))
      throw new Problem('not_found');
    return request;
  };

  /** Returns whether it had an effect: somebody else may have decided the same. */
  const decide = async (
    request: GuestRequest,
    state: 'approved' | 'refused',
    actor: Actor,
  ): Promise<boolean> => {
    const now = system.now();
    const isDecided = request.state !== 'waiting';
    if (!isDecided && now - request.createdAt >= requestMs)
      throw new Refusal('guest-request-expired', 'the guest has waited for too long');
    const action = state === 'approved' ? 'voucher.approve' : 'voucher.refuse';
    const audit = draftAudit(actor, action, now, { name: request.name });
    if (!isDecided && (await guestRequests.decide(request, state, audit))) return true;
    // Somebody was faster. The same decision twice is one.
    const current = await guestRequests.find(request.id);
    // The guest has withdrawn it.
    if (!current) throw new Problem('not_found');
    if (current.state !== state)
      throw new Refusal('guest-request-decided', 'somebody else has decided otherwise');
    return false;
  };

  /**
   * Those in flight, by id: the last place of the hour is
   * not counted twice when two desks agree to one request.
   */
  const approvals = new Map<string, Promise<TakenVoucher>>();

  /** Agrees to a request that waits. Its voucher counts unless it is not made. */
  const approve = async (request: GuestRequest, actor: Actor): Promise<TakenVoucher> => {
    const refund = await reserveApproval(visits, request).catch(async (error: unknown) => {
      // Somebody was faster, and took the last place for this request.
      if ((await guestRequests.find(request.id))?.state === 'approved') return () => Promise.resolve();
      throw error;
    });
    let isCounted = false;
    try {
      const isDecided = await decide(request, 'approved', actor);
      const taken = await placeApproved({ visits, requests: guestRequests }, request);
      isCounted = isDecided && taken.state !== 'failed';
      return taken;
    } finally {
      if (!isCounted) await refund();
    }
  };

  return {
    list: async (viewer) => {
      const [waiting, kiosks, profiles, sites] = [
        await guestRequests.waiting(
          system.now() - requestMs,
          viewer.role === 'admin' ? null : viewer.siteIds,
        ),
        await tables.kiosks.all(),
        await tables.profiles.all(),
        await tables.sites.all(),
      ];
      const nameOf = (all: readonly { id: number; name: string }[], id: number): string =>
        all.find((one) => one.id === id)?.name ?? '';
      const shown = waiting.filter((request) => kiosks.some((kiosk) => belongsTo(request, kiosk)));
      const requests = shown.map(({ id, siteId, name, createdAt, kioskId, profileId }) => ({
        id,
        siteId,
        name,
        createdAt,
        expiresAt: createdAt + requestMs,
        siteName: nameOf(sites, siteId),
        pageName: nameOf(kiosks, kioskId),
        profileName: nameOf(profiles, profileId),
      }));
      const asks = kiosks.some(({ needsApproval, siteId }) => needsApproval && seesSite(viewer, siteId));
      return { requests, isAsked: asks || requests.length > 0 };
    },
    approve: async (id, viewer, actor) => {
      const request = await find(id, viewer);
      const running = approvals.get(request.id);
      if (running) return running;
      if (request.state === 'waiting') {
        const approval = approve(request, actor).finally(() => approvals.delete(request.id));
        approvals.set(request.id, approval);
        return approval;
      }
      await decide(request, 'approved', actor);
      return placeApproved({ visits, requests: guestRequests }, request);
    },
    refuse: async (id, viewer, actor) => {
      await decide(await find(id, viewer), 'refused', actor);
    },
  };
};
