import { makeWithLease, type Lease, type LeaseTable } from '../database/leases.js';
import type { GuestLanguage } from '../i18n/guestTexts.js';
import { runOutboxPass } from '../jobs/outboxPass.js';
import type { Awaitable } from '../lib/awaitable.js';
import { publicText } from '../lib/publicText.js';
import { nextRetryDelayMs } from '../lib/retrySchedule.js';
import type { System } from '../lib/system.js';
import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { MakeSlips } from '../printing/printing.js';
import type { SiteTable } from '../sites/siteTable.js';
import { mayBeHandedOut } from '../vouchers/state.js';
import type { VoucherTable } from '../vouchers/voucherTable.js';
import { SmsError, toSmsError } from './smsError.js';
import { smsTimeoutMs, type SmsConfig, type SmsSender } from './smsSender.js';
import type { SmsTable, StoredSms } from './smsTable.js';
import { composeVoucherSms } from './voucherSms.js';

interface SmsWorkerDeps {
  readonly tables: {
    readonly sms: SmsTable;
    readonly leases: LeaseTable;
    readonly vouchers: VoucherTable;
    readonly sites: SiteTable;
  };
  readonly makeSlips: MakeSlips;
  /** The provider; undefined while there is none, and then SMS wait. */
  provider(): Awaitable<SmsConfig | undefined>;
  readonly sender: SmsSender;
  readonly system: System;
  readonly log: Log;
  /** Identifies this process as the owner of a lease. */
  readonly owner: string;
  readonly metrics: Pick<Metrics, 'sms'>;
}

export interface SmsWorker {
  /** Sends what is due. */
  runPass(): Promise<void>;
  /** Starts nothing new, and aborts what no provider has got yet. */
  stop(): void;
}

/** With the interval of the passes, another process takes over within 30 seconds. */
const leaseOptions = { leaseMs: 20_000, renewBelowMs: 15_000, renewIntervalMs: 4000 };
/** Longer than any attempt takes: by then its process has stored how it ended, or is gone. */
const maxAttemptMs = 2 * smsTimeoutMs;

/**
 * Sends the SMS of the outbox, from one process at a time. What may have been accepted is never sent again, even if the
 * process was killed: an attempt is stored before it begins.
 */
export const makeSmsWorker = (deps: SmsWorkerDeps): SmsWorker => {
  const { tables, system, log, owner, metrics } = deps;
  const withLease = makeWithLease(tables.leases, owner, system);
  const stopping = new AbortController();

  const settleAttempt = async (sms: StoredSms, error: SmsError | undefined): Promise<void> => {
    const now = system.now();
    const line = { sms: sms.id, tries: sms.tries + 1 };
    if (error === undefined) {
      await tables.sms.settle(sms.id, 'sent', null, now);
      metrics.sms('sent');
      log.info(line, 'SMS sent');
      return;
    }
    const { reason, failure, message, cause, answer, afterSeconds } = error;
    // An attempt that the shutdown ended does not count.
    if (stopping.signal.aborted && failure === 'temporary') return tables.sms.release(sms.id);
    const logged = {
      ...{ ...line, reason: message },
      ...(answer !== undefined && { answer }),
      ...(cause !== undefined && { detail: publicText(cause) }),
    };
    const delay =
      failure !== 'temporary'
        ? undefined
        : nextRetryDelayMs({
            tries: sms.tries + 1,
            ageMs: now - sms.createdAt,
            afterSeconds,
            random: system.randomBytes(4).readUInt32BE() / 2 ** 32,
          });
    if (delay === undefined) {
      await tables.sms.settle(sms.id, 'failed', reason, now);
      metrics.sms('failed');
      log.error(logged, 'SMS not sent: failed for good');
    } else {
      await tables.sms.postpone(sms.id, { reason, at: now + delay, triedAt: now });
      metrics.sms('postponed');
      log.warn(logged, 'SMS not sent: will retry');
    }
  };

  const compose = async (sms: StoredSms): Promise<string> => {
    const [voucher] = await tables.vouchers.byIds([sms.voucherId]);
    const site = (await tables.sites.details()).find(({ id }) => id === voucher?.siteId);
    if (!voucher || !site) throw missingVoucher();
    // Revoked, or expired, while the SMS waited.
    if (!mayBeHandedOut(voucher, system.now()))
      throw new SmsError({ code: 'voucher-ended', values: {} }, 'permanent');
    const [slip] = await deps.makeSlips([{ voucher, site }], sms.language as GuestLanguage);
    if (!slip) throw missingVoucher();
    return composeVoucherSms(slip);
  };

  /** Everything that can fail comes before the attempt is stored as begun. */
  const prepare = async (sms: StoredSms): Promise<{ config: SmsConfig; text: string }> => {
    const config = await deps.provider();
    if (!config) throw new SmsError({ code: 'not-set-up', values: {} }, 'temporary');
    return { config, text: await compose(sms) };
  };

  const sendOne = async (sms: StoredSms): Promise<void> => {
    let prepared: Awaited<ReturnType<typeof prepare>>;
    try {
      prepared = await prepare(sms);
    } catch (error) {
      // Nothing was sent.
      const known =
        error instanceof SmsError
          ? error
          : new SmsError({ code: 'unexpected', values: {} }, 'temporary', { cause: error });
      return settleAttempt(sms, known);
    }
    // Another process may have begun.
    if (!(await tables.sms.begin(sms.id, system.now()))) return;
    const { config, text } = prepared;
    const error = await deps.sender
      .send(config, { to: sms.to, text }, stopping.signal)
      .then(() => undefined, toSmsError);
    await settleAttempt(sms, error);
  };

  const sendDue = (lease: Lease): Promise<void> =>
    runOutboxPass<StoredSms>({
      // Read under the lease: another process may have sent it.
      mayContinue: async () => !stopping.signal.aborted && (await lease.renew()),
      findDue: (options) => tables.sms.findDue(system.now(), options),
      send: sendOne,
    });

  return {
    runPass: async () => {
      if (stopping.signal.aborted) return;
      for (const id of await tables.sms.settleInterrupted(system.now(), maxAttemptMs)) {
        metrics.sms('failed');
        log.error({ sms: id }, 'SMS was being sent when its process ended: it may have been sent');
      }
      // Usually nothing is due, and finding that out needs no lease.
      if (!(await tables.sms.findDue(system.now())) || !(await deps.provider())) return;
      await withLease('sms', leaseOptions, sendDue);
    },
    stop: () => stopping.abort(),
  };
};

const missingVoucher = (): SmsError => new SmsError({ code: 'voucher-missing', values: {} }, 'temporary');
