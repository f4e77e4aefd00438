import { hash } from 'node:crypto';
import { draftAudit, type Actor } from '../audit/audit.js';
import { Problem, Refusal } from '../errors/problem.js';
import type { GuestLanguage } from '../i18n/guestTexts.js';
import { networkOf } from '../lib/addresses.js';
import type { Awaitable } from '../lib/awaitable.js';
import type { Clock } from '../lib/system.js';
import { takePlaces, type CountedPlace } from '../rateLimit/places.js';
import type { WindowCounter } from '../rateLimit/windowCounter.js';
import type { SelectWithSites, VoucherViewer } from '../vouchers/selection.js';
import { toPhoneNumber } from './phoneNumber.js';
import type { ActiveSms } from './smsProvider.js';
import type { SmsTable, StoredSms } from './smsTable.js';

/** SMS with vouchers. All throw `Refusal` or `Problem`. */
export interface SmsOutbox {
  /** How SMS can be sent; undefined when they can not. */
  offer(): Promise<{ readonly countryCode: string | null } | undefined>;
  /** Puts an SMS into the outbox, once for each id that a page chooses. */
  send(id: string, sms: SmsOrder, viewer: VoucherViewer, actor: Actor): Promise<StoredSms>;
  /** The same for guests, who have no account: with stricter limits, and a sender that is counted in place of a user. */
  sendForGuest(id: string, sms: GuestSms, actor: Actor): Promise<StoredSms>;
  /** Those of a voucher, newest first. */
  ofVoucher(voucherId: number): Promise<StoredSms[]>;
}

interface SmsOrder {
  readonly voucherId: number;
  /** As somebody typed it. */
  readonly to: string;
  readonly language: GuestLanguage;
}

/** A voucher that a guest has sent to a number of their choice. */
export interface GuestSms extends SmsOrder {
  readonly siteId: number;
  /** Who is counted, such as a kiosk. */
  readonly sender: string;
  readonly maxPerHour: number;
  /** Where the guest is; null where all guests have the same address. */
  readonly guestAddress: string | null;
}

interface SmsOutboxDeps {
  readonly sms: SmsTable;
  readonly select: SelectWithSites;
  readonly clock: Clock;
  /** What SMS are sent through. */
  provider(): Awaitable<ActiveSms | undefined>;
  /** Counts in windows of `smsWindowMs`. */
  readonly counter: WindowCounter;
  /** Called when there is something to send. */
  wake(): void;
}

/** The limits are per hour. */
export const smsWindowMs = 3_600_000;
/** Each costs money, so fewer than e-mails. */
const maxPerVoucher = 20;
const maxPerUser = 30;
const maxPerRecipient = 5;
/** What strangers type may be anybody's number. */
const guestLimits = { perVoucher: 2, perRecipient: 2, perAddress: 10 };
/** Whose SMS those of guests are: no user has this id. */
const noUser = 0;

interface Limits {
  readonly places: (to: string) => readonly CountedPlace[];
  readonly perVoucher: number;
}

export const makeSmsOutbox = ({ sms, select, clock, provider, counter, wake }: SmsOutboxDeps): SmsOutbox => {
  const perHour = (key: string, max: number): CountedPlace => ({ counter, windowMs: smsWindowMs, key, max });
  const hashOf = (text: string): string => hash('sha256', text, 'hex');

  const put = async (
    id: string,
    { voucherId, to: given, language }: SmsOrder,
    viewer: VoucherViewer,
    actor: Actor,
    limits: Limits,
  ): Promise<StoredSms> => {
    const active = await provider();
    if (!active) throw new Refusal('sms-not-set-up', 'there is no SMS provider yet');
    const to = toPhoneNumber(given, active.rules);
    await select({ voucherIds: [voucherId] }, viewer);
    const audit = draftAudit(actor, 'voucher.sms', clock.now());
    const isKnown = (await sms.ofVoucher(voucherId, maxPerVoucher)).some((known) => known.id === id);
    // Only what is sent counts.
    const giveBack = isKnown ? undefined : await takePlaces(limits.places(to));
    const caps = { perVoucher: limits.perVoucher, perDay: active.rules.maxPerDay };
    const stored = await sms
      .add({ id, voucherId, userId: viewer.id, to, language }, caps, audit)
      .catch(async (error: unknown) => {
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
    if (stored === 'perVoucher') throw new Refusal('too-many-sms', 'this voucher was sent often enough');
    if (stored === 'perDay')
      throw new Problem('rate_limited', { seconds: '3600' }, { 'Retry-After': '3600' });
    // The SMS of another user is refused in the same way, so its existence is not revealed.
    if (!isSame) throw new Refusal('sms-changed', 'another SMS has this id already');
    wake();
    return stored;
  };

  return {
    offer: async () => {
      const active = await provider();
      return active && { countryCode: active.rules.countryCode };
    },
    send: (id, order, viewer, actor) =>
      put(id, order, viewer, actor, {
        perVoucher: maxPerVoucher,
        places: (to) => [
          perHour(`sms-from:${String(viewer.id)}`, maxPerUser),
          perHour(`sms-to:${hashOf(to)}`, maxPerRecipient),
        ],
      }),
    sendForGuest: (id, { sender, maxPerHour, siteId, guestAddress, ...order }, actor) =>
      put(id, order, { id: noUser, role: 'staff', siteIds: [siteId] }, actor, {
        perVoucher: guestLimits.perVoucher,
        places: (to) => [
          perHour(`sms-from:${sender}`, maxPerHour),
          ...(guestAddress === null
            ? []
            : [perHour(`sms-from-address:${hashOf(networkOf(guestAddress))}`, guestLimits.perAddress)]),
          perHour(`sms-to-by-guests:${hashOf(to)}`, guestLimits.perRecipient),
          perHour(`sms-to:${hashOf(to)}`, maxPerRecipient),
        ],
      }),
    ofVoucher: (voucherId) => sms.ofVoucher(voucherId, maxPerVoucher),
  };
};
