import { hash } from 'node:crypto';
import { Problem, Refusal } from '../errors/problem.js';
import type { System } from '../lib/system.js';
import type { KioskView, KioskVisits, TakenVoucher } from '../kiosks/kioskVisits.js';
import type { KioskBackground } from '../kiosks/kioskTable.js';
import type { Taker } from '../kiosks/kioskLimit.js';
import type { KeyClaims } from '../rateLimit/keyClaims.js';
import type { GuestRequest, GuestRequestTable } from './guestRequestTable.js';
import type { Challenge, ProofOfWork } from './proofOfWork.js';

/** What a guest is told: of the order, or of the request that staff have to agree to. */
export interface GuestResult extends Omit<TakenVoucher, 'state'> {
  readonly state: TakenVoucher['state'] | 'waiting' | 'refused' | 'expired';
}

const withoutCode = (state: 'waiting' | 'refused' | 'expired'): GuestResult => ({
  state,
  code: null,
  formattedCode: null,
  network: undefined,
});

/** A guest asks for a voucher at a public page. */
export interface GuestOrder extends Taker {
  readonly slug: string;
  readonly orderId: string;
  readonly name: string;
  readonly profileId: number | undefined;
  readonly challenge: string;
  readonly numbers: readonly number[];
}

/**
 * Pages where guests get vouchers without a link. All throw
 * `Refusal` or `Problem`, and then nothing has changed.
 */
export interface GuestPages {
  view(slug: string): Promise<KioskView>;
  background(slug: string): Promise<KioskBackground>;
  createChallenge(slug: string): Promise<Challenge>;
  /** One voucher, or a request for one. A repeated request is the same. */
  order(order: GuestOrder): Promise<GuestResult>;
  /**
   * Removes a request that waits; nothing happens where none does. Throws
   * `Refusal` when staff were faster, and then their decision holds.
   */
  withdraw(slug: string, orderId: string, taker: Taker): Promise<void>;
  /** What became of it; for half an hour. */
  find(slug: string, orderId: string): Promise<GuestResult>;
}

/** For this long a request waits for staff. */
export const requestMs = 15 * 60_000;
/** Of one page at a time: more than a desk can look through. */
const maxWaiting = 50;
/** A guest who comes back sees the same code again for this long. */
export const shownMs = 30 * 60_000;

interface GuestPagesDeps {
  readonly visits: KioskVisits;
  readonly requests: GuestRequestTable;
  readonly proofOfWork: ProofOfWork;
  /** Challenges, which orders own. */
  readonly challenges: KeyClaims;
  readonly system: System;
}

export const makeGuestPages = (deps: GuestPagesDeps): GuestPages => {
  const { visits, requests, proofOfWork, challenges, system } = deps;

  /** A challenge is for one order, in all processes, however often the order is repeated. */
  const claimChallenge = async (challenge: string, orderId: string): Promise<void> => {
    if (!(await challenges.claim(`claimed-challenge:${hash('sha256', challenge, 'hex')}`, orderId)))
      throw new Refusal('challenge-used', 'this challenge was used for another order');
  };

  /** Undefined when no request has this id. */
  const findRequest = async (slug: string, id: string): Promise<GuestResult | undefined> => {
    const request = await requests.find(id);
    if (!request) return undefined;
    const kiosk = await visits.findOpen({ slug });
    const age = Math.abs(system.now() - request.createdAt);
    if (!belongsTo(request, kiosk) || age > requestMs + shownMs) throw new Problem('not_found');
    if (request.state === 'refused') return withoutCode('refused');
    const undecided = withoutCode(age < requestMs ? 'waiting' : 'expired');
    if (request.state === 'waiting') return undecided;
    return placeApproved(deps, request).catch((error: unknown) => {
      // It waits again.
      if (error instanceof Refusal) return undecided;
      throw error;
    });
  };

  return {
    view: (slug) => visits.view({ slug }),
    background: (slug) => visits.background({ slug }),
    createChallenge: async (slug) => {
      await visits.findOpen({ slug });
      return proofOfWork.create(slug);
    },
    order: async ({ slug, orderId: given, name, profileId, challenge, numbers, ...taker }) => {
      const orderId = given.toLowerCase();
      // Before anything else is done for somebody who may be a program.
      if (!proofOfWork.isSolved({ page: slug, orderId, challenge, numbers }))
        throw new Refusal('challenge-invalid', 'the challenge is not solved, or has expired', 'invalid');
      await claimChallenge(challenge, orderId);
      const earlier = await findRequest(slug, orderId);
      if (earlier) return earlier;
      const prepared = await visits.prepare({ slug }, { name, profileId });
      const { kiosk } = prepared;
      if (!kiosk.needsApproval) return prepared.place(orderId, taker);
      await prepared.check(taker);
      const refund = await prepared.reserve(taker, 'request');
      const now = system.now();
      const request = {
        id: orderId,
        kioskId: kiosk.id,
        siteId: kiosk.siteId,
        profileId: prepared.profileId,
        name: prepared.name,
        state: 'waiting' as const,
        address: taker.address,
        decidedBy: null,
        createdAt: now,
      };
      const limits = { maxWaiting, waitingSince: now - requestMs };
      const outcome = await requests.add(request, limits).catch(async (error: unknown) => {
        await refund();
        throw error;
      });
      if (outcome !== 'added') await refund();
      if (outcome === 'full')
        throw new Problem('rate_limited', { message: 'guest-queue-full' }, { 'Retry-After': '60' });
      return withoutCode('waiting');
    },
    withdraw: async (slug, given, taker) => {
      const id = given.toLowerCase();
      const kiosk = await visits.findOpen({ slug });
      if (await requests.withdraw({ id, kioskId: kiosk.id })) return visits.refundDevice(kiosk, taker);
      const request = await requests.find(id);
      if (request && belongsTo(request, kiosk))
        throw new Refusal('guest-request-decided', 'the front desk has decided before');
    },
    find: async (slug, given) => {
      const orderId = given.toLowerCase();
      return (await findRequest(slug, orderId)) ?? visits.findOrder({ slug }, orderId, shownMs);
    },
  };
};

/**
 * A page that was moved to another site takes no requests
 * along: other people decide there, about another network.
 */
export const belongsTo = (
  request: Pick<GuestRequest, 'kioskId' | 'siteId'>,
  kiosk: { readonly id: number; readonly siteId: number },
): boolean => request.kioskId === kiosk.id && request.siteId === kiosk.siteId;

type ApprovedRequest = Pick<GuestRequest, 'id' | 'kioskId' | 'name' | 'profileId' | 'address' | 'createdAt'>;

const takerOf = ({ address }: ApprovedRequest): Taker => ({ address, deviceId: undefined });

/**
 * Counts a request that staff agree to, and returns what refunds it. Throws what would be refused now,
 * also when the hour of the page is used up, and then nothing is counted.
 */
export const reserveApproval = async (
  visits: Pick<KioskVisits, 'prepare'>,
  request: ApprovedRequest,
): Promise<() => Promise<void>> => {
  const { kioskId, name, profileId } = request;
  const prepared = await visits.prepare({ kioskId }, { name, profileId });
  await prepared.check(takerOf(request));
  return prepared.reserve(takerOf(request), 'approval').catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'rate_limited')
      throw new Refusal('kiosk-limit', 'as many vouchers as the page may give in an hour were given');
    throw error;
  });
};

/**
 * Orders what staff have agreed to. However often it is called, it is one order.
 * Throws `Refusal` when the order is refused, and then the request waits again.
 */
export const placeApproved = async (
  {
    visits,
    requests,
  }: {
    readonly visits: Pick<KioskVisits, 'prepare'>;
    readonly requests: Pick<GuestRequestTable, 'reopen'>;
  },
  request: ApprovedRequest,
): Promise<TakenVoucher> => {
  const { id, kioskId, name, profileId } = request;
  try {
    const prepared = await visits.prepare({ kioskId }, { name, profileId });
    // Counted when staff agreed.
    return await prepared.place(id, takerOf(request), { isCounted: true });
  } catch (error) {
    // With `order-changed` there is an order.
    if (error instanceof Refusal && error.code !== 'order-changed') await requests.reopen(request);
    throw error;
  }
};
