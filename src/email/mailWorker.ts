import type { GuestLanguage } from '../guests/guestTexts.js';
import { loadGuestTexts } from '../guests/guestTexts.js';
import type { MailConfig } from '../config.js';
import type { Log } from '../lib/log.js';
import { publicText } from '../lib/problem.js';
import type { System } from '../lib/system.js';
import { nextRetryDelayMs } from '../notifications/retrySchedule.js';
import type { MakeSlips } from '../printing/printing.js';
import type { StoredEmail } from '../storage/emails.js';
import { makeWithLease, type Lease } from '../storage/leases.js';
import type { Storage } from '../storage/storage.js';
import { mayBeHandedOut } from '../vouchers/view.js';

interface MailWorkerDeps {
  readonly storage: Pick<Storage, 'emails' | 'leases' | 'vouchers' | 'sites'>;
  readonly makeSlips: MakeSlips;
  readonly config: MailConfig;
  readonly system: System;
  readonly log: Log;
  /** Identifies this process as the owner of a lease. */
  readonly owner: string;
  /** For a whole attempt. */
  readonly timeoutMs?: number;
}

export interface MailWorker {
  /** Sends what is due. */
  runPass(): Promise<void>;
  /** Starts nothing new. */
  stop(): void;
}

const sendTimeoutMs = 15_000;
/** With the interval of the passes, another process takes over within 30 seconds. */
const leaseMs = 20_000;

/** Sends the e-mails of the outbox one after the other, from one process at a time. */
export const makeMailWorker = (deps: MailWorkerDeps): MailWorker => {
  const { storage, system, log, owner, timeoutMs = sendTimeoutMs } = deps;
  const withLease = makeWithLease(storage.leases, owner, system);
  // Longer than sending may take, so that no lease expires meanwhile.
  const leaseOptions = { leaseMs, renewBelowMs: timeoutMs + 1000 };
  let stopped = false;

  const settleAttempt = async (email: StoredEmail, error: unknown): Promise<void> => {
    const now = system.now();
    const line = { email: email.id, tries: email.tries + 1 };
    if (error === undefined) {
      await storage.emails.settle(email.id, 'sent', null, now);
      log.info(line, 'e-mail sent');
      return;
    }
    const reason = publicText(error);
    const delay = isPermanent(error)
      ? undefined
      : nextRetryDelayMs({
          tries: email.tries + 1,
          ageMs: now - email.createdAt,
          random: system.randomBytes(4).readUInt32BE() / 2 ** 32,
        });
    if (delay === undefined) {
      await storage.emails.settle(email.id, 'failed', reason, now);
      log.error({ ...line, reason }, 'e-mail not sent: failed for good');
    } else {
      await storage.emails.postpone(email.id, reason, now + delay);
      log.warn({ ...line, reason }, 'e-mail not sent: will retry');
    }
  };

  const attempt = async (email: StoredEmail): Promise<unknown> => {
    try {
      const [voucher] = await storage.vouchers.byIds([email.voucherId]);
      const site = (await storage.sites.details()).find(({ id }) => id === voucher?.siteId);
      if (!voucher || !site) throw new Error('there is no such voucher');
      if (!mayBeHandedOut(voucher, system.now())) throw noLongerValid();
      // Loaded when it is used: few services send e-mails all day.
      const [{ makeMailSender }, { composeVoucherEmail }] = await Promise.all([
        import('./mailSender.js'),
        import('./voucherEmail.js'),
      ]);
      const language = email.language as GuestLanguage;
      // E-mails show no logo.
      const [slip] = await deps.makeSlips([{ voucher, site: { ...site, hasLogo: false } }], language);
      if (!slip) throw new Error('there is no such voucher');
      const composed = composeVoucherEmail(slip, loadGuestTexts(language));
      await makeMailSender(deps.config, timeoutMs).send({ ...composed, id: email.id, to: email.to });
      return undefined;
    } catch (error) {
      return error;
    }
  };

  const sendDue = async (lease: Lease): Promise<void> => {
    while (!stopped && (await lease.renew())) {
      // Read under the lease: another process may have sent it.
      const email = await storage.emails.findDue(system.now());
      if (!email) return;
      await settleAttempt(email, await attempt(email));
    }
  };

  return {
    runPass: async () => {
      // Usually nothing is due, and finding that out needs no lease.
      if (stopped || !(await storage.emails.findDue(system.now()))) return;
      await withLease('emails', leaseOptions, sendDue);
    },
    stop: () => {
      stopped = true;
    },
  };
};

/** Revoked, or expired, while the e-mail waited. */
const noLongerValid = (): Error =>
  Object.assign(new Error('the voucher is no longer valid'), { permanent: true });

const isPermanent = (error: unknown): boolean =>
  error instanceof Error && 'permanent' in error && error.permanent === true;
