import { isEmailAddress } from '../users/names.js';
import { hash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { takePlaces, type CountedPlace } from '../rateLimit/places.js';
import type { WindowCounter } from '../rateLimit/windowCounter.js';
import type { GuestLanguage } from '../i18n/guestTexts.js';
import { Refusal } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import { noUser, type EmailTable, type StoredEmail } from './emailTable.js';
import type { SelectWithSites, VoucherViewer } from '../vouchers/selection.js';

export type { StoredEmail };

/** E-mails with vouchers. All throw `Refusal` or `Problem`. */
export interface Emails {
  /** Can vouchers be sent by e-mail? */
  isSetUp(): Promise<boolean>;
  /**
   * Counts an e-mail of another kind that a user has sent to an address, such as an invitation, against the same limits.
   * Returns what takes it back.
   */
  count(to: string, userId: number): Promise<() => Promise<void>>;
  /** Puts an e-mail into the outbox, once for each id that a page chooses. */
  send(
    id: string,
    email: { readonly voucherId: number; readonly to: string; readonly language: GuestLanguage },
    viewer: VoucherViewer,
    actor: Actor,
  ): Promise<StoredEmail>;
  /** The same for guests, who have no account: with stricter limits, and a sender that is counted in place of a user. */
  sendForGuest(id: string, email: GuestEmail, actor: Actor): Promise<StoredEmail>;
  /** Those of a voucher, newest first. */
  ofVoucher(voucherId: number): Promise<StoredEmail[]>;
}

/** A voucher that a guest has sent to an address of their choice. */
export interface GuestEmail {
  readonly voucherId: number;
  readonly siteId: number;
  readonly to: string;
  readonly language: GuestLanguage;
  /** Who is counted, such as a kiosk. */
  readonly sender: string;
  readonly maxPerHour: number;
}

interface EmailsDeps {
  readonly emails: EmailTable;
  readonly select: SelectWithSites;
  readonly clock: Clock;
  isSetUp(): Promise<boolean>;
  /** Counts in windows of `emailWindowMs`. */
  readonly counter: WindowCounter;
  /** Called when there is something to send. */
  wake(): void;
}

/** More than anybody needs, and few enough not to flood a guest. */
const maxPerVoucher = 50;

/** The limits are per hour. */
export const emailWindowMs = 3_600_000;
const maxPerUser = 60;
const maxPerRecipient = 10;
/** What strangers type may be anybody's address. */
const guestLimits = { perVoucher: 3, perRecipient: 3 };

/** What is sent, by whom, and within which limits. */
interface EmailOrder {
  readonly id: string;
  readonly email: { readonly voucherId: number; readonly to: string; readonly language: GuestLanguage };
  readonly viewer: VoucherViewer;
  readonly actor: Actor;
  readonly places: readonly CountedPlace[];
  readonly perVoucher: number;
}

export const makeEmails = ({ emails, select, clock, isSetUp, counter, wake }: EmailsDeps): Emails => {
  const perHour = (key: string, max: number): CountedPlace => ({
    counter,
    windowMs: emailWindowMs,
    key,
    max,
  });

  const put = async ({ id, email, viewer, actor, places, perVoucher }: EmailOrder): Promise<StoredEmail> => {
    const { voucherId, to, language } = email;
    if (!(await isSetUp())) throw new Refusal('email-not-set-up', 'there is no mail server yet');
    if (!isEmailAddress(to)) throw new Refusal('email-invalid', 'not a valid e-mail address', 'invalid');
    await select({ voucherIds: [voucherId] }, viewer);
    const audit = draftAudit(actor, 'voucher.email', clock.now());
    const wanted = { id, voucherId, userId: viewer.id, to, language };
    const isKnown = (await emails.ofVoucher(voucherId, maxPerVoucher)).some((known) => known.id === id);
    // Only what is sent counts.
    const giveBack = isKnown ? undefined : await takePlaces(places);
    const stored = await emails.add(wanted, perVoucher, audit).catch(async (error: unknown) => {
      await giveBack?.();
      throw error;
    });
    const isSame =
      stored?.voucherId === voucherId &&
      stored.userId === viewer.id &&
      stored.to === to &&
      stored.language === language;
    if (!isSame) await giveBack?.();
    if (!stored) throw new Refusal('too-many-emails', 'this voucher was sent often enough');
    // The e-mail of another user is refused in the same way, so its existence is not revealed.
    if (!isSame) throw new Refusal('email-changed', 'another e-mail has this id already');
    wake();
    return stored;
  };

  const placesOf = (to: string, userId: number): CountedPlace[] => [
    perHour(`email-from:${String(userId)}`, maxPerUser),
    perHour(`email-to:${mailboxHash(to)}`, maxPerRecipient),
  ];

  return {
    isSetUp,
    count: (to, userId) => takePlaces(placesOf(to, userId)),
    send: async (id, email, viewer, actor) => {
      const places = placesOf(email.to, viewer.id);
      return put({ id, email, viewer, actor, places, perVoucher: maxPerVoucher });
    },
    sendForGuest: async (id, { sender, maxPerHour, siteId, ...email }, actor) => {
      const places = [
        perHour(`email-from:${sender}`, maxPerHour),
        perHour(`email-to-by-guests:${mailboxHash(email.to)}`, guestLimits.perRecipient),
        perHour(`email-to:${mailboxHash(email.to)}`, maxPerRecipient),
      ];
      const viewer = { id: noUser, role: 'staff', siteIds: [siteId] } as const;
      return put({ id, email, viewer, actor, places, perVoucher: guestLimits.perVoucher });
    },
    ofVoucher: (voucherId) => emails.ofVoucher(voucherId, maxPerVoucher),
  };
};

/** One text for all spellings of an address that lead to the same mailbox. */
const toMailbox = (to: string): string => {
  const at = to.lastIndexOf('@');
  const [name = ''] = to.slice(0, at).normalize('NFKC').toLowerCase().split('+');
  return `${name}@${domainToASCII(to.slice(at + 1)).replace(/\.$/, '')}`;
};

const mailboxHash = (to: string): string => hash('sha256', toMailbox(to), 'hex');
