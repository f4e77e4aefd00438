import { hash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { limitExceeded, type WindowCounter } from '../rateLimit/windowCounter.js';
import type { GuestLanguage } from '../i18n/guestTexts.js';
import { Refusal } from '../errors/problem.js';
import type { Clock } from '../lib/system.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import type { EmailTable, StoredEmail } from './emailTable.js';
import type { SelectWithSites, VoucherViewer } from '../vouchers/selection.js';

export type { StoredEmail };

/** E-mails with vouchers. All throw `Refusal` or `Problem`. */
export interface Emails {
  /** Can vouchers be sent by e-mail? */
  readonly isSetUp: boolean;
  /** Puts an e-mail into the outbox, once for each id that a page chooses. */
  send(
    id: string,
    email: { readonly voucherId: number; readonly to: string; readonly language: GuestLanguage },
    viewer: VoucherViewer,
    actor: Actor,
  ): Promise<StoredEmail>;
  /** Those of a voucher, newest first. */
  ofVoucher(voucherId: number): Promise<StoredEmail[]>;
}

interface EmailsDeps {
  readonly emails: EmailTable;
  readonly select: SelectWithSites;
  readonly clock: Clock;
  readonly isSetUp: boolean;
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

/** One address, and nothing that a mail program could read as more. */
const address = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u;

export const makeEmails = ({ emails, select, clock, isSetUp, counter, wake }: EmailsDeps): Emails => {
  const takePlace = makeTakePlace(counter);
  return {
    isSetUp,
    send: async (id, { voucherId, to, language }, viewer, actor) => {
      if (!isSetUp) throw new Refusal('email-not-set-up', 'set SMTP_URL and MAIL_FROM to send e-mails');
      if (!address.test(to)) throw new Refusal('email-invalid', 'this is no e-mail address', 'invalid');
      await select({ voucherIds: [voucherId] }, viewer);
      const audit = draftAudit(actor, 'voucher.email', clock.now());
      const wanted = { id, voucherId, userId: viewer.id, to, language };
      const isKnown = (await emails.ofVoucher(voucherId, maxPerVoucher)).some((email) => email.id === id);
      // Only what is sent counts.
      const giveBack = isKnown ? undefined : await takePlace(viewer.id, to);
      const stored = await emails.add(wanted, maxPerVoucher, audit).catch(async (error: unknown) => {
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

/** Counts an e-mail for its sender and for its recipient, and returns what takes that back. Throws beyond a limit. */
const makeTakePlace =
  ({ count, takeBack }: WindowCounter) =>
  async (userId: number, to: string): Promise<() => Promise<void>> => {
    const [sender, recipient] = [
      `email-from:${String(userId)}`,
      `email-to:${hash('sha256', toMailbox(to), 'hex')}`,
    ];
    const sent = await count(sender);
    if (sent.points > maxPerUser) {
      await takeBack(sender);
      throw limitExceeded(sent, emailWindowMs);
    }
    const giveBack = async (): Promise<void> => {
      await takeBack(recipient);
      await takeBack(sender);
    };
    const received = await count(recipient);
    if (received.points > maxPerRecipient) {
      await giveBack();
      throw limitExceeded(received, emailWindowMs);
    }
    return giveBack;
  };
