import type { GuestLanguage } from '../i18n/guestTexts.js';
import { loadGuestTexts } from '../i18n/guestTexts.js';
import type { MailConfig } from '../config/mailEnvironment.js';
import { runOutboxPass } from '../jobs/outboxPass.js';
import type { Awaitable } from '../lib/awaitable.js';
import type { Log } from '../log/log.js';
import { publicText } from '../lib/publicText.js';
import type { System } from '../lib/system.js';
import type { Metrics } from '../metrics/metrics.js';
import { nextRetryDelayMs } from '../lib/retrySchedule.js';
import type { MakeSlips } from '../printing/printing.js';
import { noUser, type DueEmail, type EmailTable, type StoredEmail } from './emailTable.js';
import { makeWithLease, type Lease, type LeaseTable } from '../database/leases.js';
import { mayBeHandedOut } from '../vouchers/state.js';
import type { ComposeAccountMail } from './composeAccountMail.js';
import type { VoucherEmail } from './voucherEmail.js';
import { MailError, toMailError } from './mailError.js';
import type { MailTimeouts } from './mailSender.js';
import type { SiteTable } from '../sites/siteTable.js';
import type { VoucherTable } from '../vouchers/voucherTable.js';

interface MailWorkerDeps {
  readonly tables: {
    readonly emails: EmailTable;
    readonly leases: LeaseTable;
    readonly vouchers: VoucherTable;
    readonly sites: SiteTable;
  };
  readonly makeSlips: MakeSlips;
  readonly composeAccountMail: ComposeAccountMail;
  /** The mail server; undefined while there is none, and then e-mails wait. */
  mail(): Awaitable<MailConfig | undefined>;
  readonly system: System;
  readonly log: Log;
  /** Identifies this process as the owner of a lease. */
  readonly owner: string;
  readonly timeouts?: MailTimeouts;
  readonly metrics: Pick<Metrics, 'email'>;
}

export interface MailWorker {
  /** Sends what is due. */
  runPass(): Promise<void>;
  /** Starts nothing new, and aborts what no mail server has accepted yet. */
  stop(): void;
}

/** With the interval of the passes, another process takes over within 30 seconds. */
const leaseOptions = { leaseMs: 20_000, renewBelowMs: 15_000, renewIntervalMs: 4000 };
/** Sends the e-mails of the outbox, from one process at a time. New ones come before those that were tried already. */
export const makeMailWorker = (deps: MailWorkerDeps): MailWorker => {
  const { tables, system, log, owner, timeouts, metrics } = deps;
  const withLease = makeWithLease(tables.leases, owner, system);
  const stopping = new AbortController();

  const settleAttempt = async (email: DueEmail, error: MailError | undefined): Promise<void> => {
    const now = system.now();
    const line = { email: email.id, tries: email.tries + 1 };
    if (error === undefined) {
      await tables.emails.settle(email, 'sent', null, now);
      metrics.email('sent');
      log.info(line, 'e-mail sent');
      return;
    }
    const { reason, failure, message, cause } = error;
    // An attempt that the shutdown ended does not count.
    if (stopping.signal.aborted && failure === 'temporary') return;
    const logged = { ...line, reason: message, ...(cause !== undefined && { detail: publicText(cause) }) };
    const delay =
      failure !== 'temporary'
        ? undefined
        : nextRetryDelayMs({
            tries: email.tries + 1,
            ageMs: now - email.createdAt,
            random: system.randomBytes(4).readUInt32BE() / 2 ** 32,
          });
    if (delay === undefined) {
      await tables.emails.settle(email, 'failed', reason, now);
      metrics.email('failed');
      log.error(logged, 'e-mail not sent: failed for good');
    } else {
      await tables.emails.postpone(email, { reason, at: now + delay, triedAt: now });
      metrics.email('postponed');
      log.warn(logged, 'e-mail not sent: will retry');
    }
  };

  const composeVoucher = async (email: StoredEmail): Promise<VoucherEmail> => {
    const [voucher] = await tables.vouchers.byIds([email.voucherId]);
    const site = (await tables.sites.details()).find(({ id }) => id === voucher?.siteId);
    if (!voucher || !site) throw missingVoucher();
    // Revoked, or expired, while the e-mail waited.
    if (!mayBeHandedOut(voucher, system.now()))
      throw new MailError({ code: 'voucher-ended', values: {} }, 'permanent');
    // Loaded when it is used: few services send e-mails all day.
    const { composeVoucherEmail } = await import('./voucherEmail.js');
    const language = email.language as GuestLanguage;
    // What strangers type is sent to nobody, also not by a text of the site that has the name.
    const sent = email.userId === noUser ? { ...voucher, name: '' } : voucher;
    const [slip] = await deps.makeSlips([{ voucher: sent, site }], language);
    if (!slip) throw missingVoucher();
    return composeVoucherEmail(slip, loadGuestTexts(language));
  };

  const attempt = async (email: DueEmail): Promise<MailError | undefined> => {
    try {
      const { mailTimeouts, makeMailSender } = await import('./mailSender.js');
      const config = await deps.mail();
      if (!config) throw new MailError({ code: 'not-set-up', values: {} }, 'temporary');
      const composed =
        email.kind === 'voucher' ? await composeVoucher(email) : await deps.composeAccountMail(email);
      await makeMailSender(config, timeouts ?? mailTimeouts).send(
        { ...composed, id: email.id, to: email.to },
        stopping.signal,
      );
      return undefined;
    } catch (error) {
      return toMailError(error);
    }
  };

  const sendDue = (lease: Lease): Promise<void> =>
    runOutboxPass<DueEmail>({
      // Read under the lease: another process may have sent it.
      mayContinue: async () => !stopping.signal.aborted && (await lease.renew()),
      findDue: (options) => tables.emails.findDue(system.now(), options),
      send: async (email) => settleAttempt(email, await attempt(email)),
    });

  return {
    runPass: async () => {
      // Usually nothing is due, and finding that out needs no lease.
      if (stopping.signal.aborted || !(await tables.emails.findDue(system.now()))) return;
      if (!(await deps.mail())) return;
      await withLease('emails', leaseOptions, sendDue);
    },
    stop: () => stopping.abort(),
  };
};

const missingVoucher = (): MailError => new MailError({ code: 'voucher-missing', values: {} }, 'temporary');
