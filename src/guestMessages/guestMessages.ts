import { hash } from 'node:crypto';
import { draftAudit, type Actor } from '../audit/audit.js';
import type { AuditDraft } from '../audit/auditTable.js';
import { Problem, type Refusal } from '../errors/problem.js';
import type { GuestLanguage } from '../i18n/guestTexts.js';
import { networkOf } from '../lib/addresses.js';
import type { Clock } from '../lib/system.js';
import type { MakeSlips } from '../printing/printing.js';
import type { VoucherSlip } from '../printing/voucherSlip.js';
import { takePlaces, type CountedPlace } from '../rateLimit/places.js';
import type { WindowCounter } from '../rateLimit/windowCounter.js';
import type { SiteTable } from '../sites/siteTable.js';
import type { SelectWithSites, VoucherViewer } from '../vouchers/selection.js';
import { mayBeHandedOut } from '../vouchers/state.js';
import type { VoucherTable } from '../vouchers/voucherTable.js';
import {
  noUser,
  type GuestMessage,
  type GuestMessageKind,
  type GuestMessageTable,
} from './guestMessageTable.js';

/** A voucher that is to be sent. */
interface MessageOrder {
  readonly voucherId: number;
  /** As somebody typed it. */
  readonly to: string;
  readonly language: GuestLanguage;
}

/** A voucher that a guest has sent to an address or a number of their choice. */
export interface GuestMessageOrder extends MessageOrder {
  readonly siteId: number;
  /** Who is counted, such as a kiosk. */
  readonly sender: string;
  readonly maxPerHour: number;
  /** Where the guest is; null where all guests have the same address. */
  readonly guestAddress: string | null;
}

/** Vouchers that are sent one way. All throw `Refusal` or `Problem`. */
export interface GuestMessages<K extends GuestMessageKind> {
  /**
   * Counts a message of another sort that a user has sent, such as an invitation, against the same limits.
   * Returns what takes it back.
   */
  count(to: string, userId: number): Promise<() => Promise<void>>;
  /** Puts a message into the outbox, once for each id that a page chooses. */
  send(id: string, order: MessageOrder, viewer: VoucherViewer, actor: Actor): Promise<GuestMessage<K>>;
  /** The same for guests, who have no account: with stricter limits, counted by sender. */
  sendForGuest(id: string, order: GuestMessageOrder, actor: Actor): Promise<GuestMessage<K>>;
  /** Those of a voucher, newest first. */
  ofVoucher(voucherId: number): Promise<GuestMessage<K>[]>;
}

/** What differs between the ways. */
export interface GuestMessageWay<K extends GuestMessageKind> {
  readonly kind: K;
  readonly action: AuditDraft['action'];
  /** Per voucher in all, the others per hour. */
  readonly limits: {
    readonly perVoucher: number;
    readonly perUser: number;
    readonly perRecipient: number;
    /** What strangers type may be anybody's. */
    readonly guests: {
      readonly perVoucher: number;
      readonly perRecipient: number;
      readonly perAddress?: number;
    };
  };
  tooMany(): Refusal;
  /** The id belongs to something else. */
  changed(): Refusal;
  /** Where it goes, and how many may be sent in a day. Throws `Refusal` where it can't go there. */
  accept(to: string): Promise<{ readonly to: string; readonly perDay?: number }>;
  /** One text for all spellings that lead to the same recipient. */
  toRecipient(to: string): string;
}

export interface GuestMessagesDeps {
  readonly table: GuestMessageTable;
  readonly select: SelectWithSites;
  readonly clock: Clock;
  /** Counts in windows of `messageWindowMs`. */
  readonly counter: WindowCounter;
  /** Called when there is something to send. */
  wake(): void;
}

/** The limits are per hour. */
export const messageWindowMs = 3_600_000;

export const makeGuestMessages = <K extends GuestMessageKind>(
  way: GuestMessageWay<K>,
  { table, select, clock, counter, wake }: GuestMessagesDeps,
): GuestMessages<K> => {
  const { kind, limits } = way;
  const perHour = (who: string, max: number): CountedPlace => ({
    counter,
    windowMs: messageWindowMs,
    key: `${kind}-${who}`,
    max,
  });
  const hashOf = (text: string): string => hash('sha256', text, 'hex');
  const hashOfRecipient = (to: string): string => hashOf(way.toRecipient(to));

  const put = async (
    { id, order: { voucherId, to: given, language } }: { readonly id: string; readonly order: MessageOrder },
    viewer: VoucherViewer,
    actor: Actor,
    { places, perVoucher }: { places(to: string): CountedPlace[]; readonly perVoucher: number },
  ): Promise<GuestMessage<K>> => {
    const { to, perDay } = await way.accept(given);
    await select({ voucherIds: [voucherId] }, viewer);
    const audit = draftAudit(actor, way.action, clock.now());
    const wanted = { id, voucherId, userId: viewer.id, to, language };
    const isKnown = (await table.ofVoucher(kind, voucherId, limits.perVoucher)).some(
      (known) => known.id === id,
    );
    // Only what is sent counts.
    const giveBack = isKnown ? undefined : await takePlaces(places(to));
    const caps = { perVoucher, ...(perDay !== undefined && { perDay }) };
    const stored = await table.add(kind, wanted, caps, audit).catch(async (error: unknown) => {
      await giveBack?.();
      throw error;
    });
    const isSame =
      typeof stored === 'object' &&
      stored.voucherId === voucherId &&
      stored.userId === viewer.id &&
      stored.to === to &&
      stored.language === language;
    if (!isSame) await giveBack?.();
    if (stored === 'perVoucher') throw way.tooMany();
    if (stored === 'perDay')
      throw new Problem('rate_limited', { seconds: '3600' }, { 'Retry-After': '3600' });
    // The message of another user is refused in the same way, so its existence is not revealed.
    if (!isSame) throw way.changed();
    wake();
    return stored;
  };

  const placesOfUser = (userId: number, to: string): CountedPlace[] => [
    perHour(`from:${String(userId)}`, limits.perUser),
    perHour(`to:${hashOfRecipient(to)}`, limits.perRecipient),
  ];

  const placesOfGuest = (
    { sender, maxPerHour, guestAddress }: GuestMessageOrder,
    to: string,
  ): CountedPlace[] => {
    const { perRecipient, perAddress } = limits.guests;
    return [
      perHour(`from:${sender}`, maxPerHour),
      ...(guestAddress === null || perAddress === undefined
        ? []
        : [perHour(`from-address:${hashOf(networkOf(guestAddress))}`, perAddress)]),
      perHour(`to-by-guests:${hashOfRecipient(to)}`, perRecipient),
      perHour(`to:${hashOfRecipient(to)}`, limits.perRecipient),
    ];
  };

  return {
    count: (to, userId) => takePlaces(placesOfUser(userId, to)),
    send: (id, order, viewer, actor) =>
      put({ id, order }, viewer, actor, {
        places: (to) => placesOfUser(viewer.id, to),
        perVoucher: limits.perVoucher,
      }),
    sendForGuest: (id, order, actor) =>
      put({ id, order }, { id: noUser, role: 'staff', siteIds: [order.siteId] }, actor, {
        places: (to) => placesOfGuest(order, to),
        perVoucher: limits.guests.perVoucher,
      }),
    ofVoucher: (voucherId) => table.ofVoucher(kind, voucherId, limits.perVoucher),
  };
};

/** What a guest gets of a voucher, or why it can't be sent. */
export type FindSlip = (
  message: Pick<GuestMessage, 'voucherId' | 'userId' | 'language'>,
) => Promise<VoucherSlip | 'voucher-missing' | 'voucher-ended'>;

interface FindSlipDeps {
  readonly tables: { readonly vouchers: VoucherTable; readonly sites: SiteTable };
  readonly makeSlips: MakeSlips;
  readonly clock: Clock;
}

export const makeFindSlip =
  ({ tables, makeSlips, clock }: FindSlipDeps): FindSlip =>
  async ({ voucherId, userId, language }) => {
    const [voucher] = await tables.vouchers.byIds([voucherId]);
    const site = (await tables.sites.details()).find(({ id }) => id === voucher?.siteId);
    if (!voucher || !site) return 'voucher-missing';
    // Revoked, or expired, while the message waited.
    if (!mayBeHandedOut(voucher, clock.now())) return 'voucher-ended';
    // What strangers type is sent to nobody, also not by a text of the site that has the name.
    const sent = userId === noUser ? { ...voucher, name: '' } : voucher;
    const [slip] = await makeSlips([{ voucher: sent, site }], language as GuestLanguage);
    return slip ?? 'voucher-missing';
  };
