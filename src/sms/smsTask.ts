import { toGuestMessage } from '../guestMessages/guestMessageTable.js';
import type { FindSlip } from '../guestMessages/guestMessages.js';
import { describeReason } from '../i18n/storedReasons.js';
import type { Awaitable } from '../lib/awaitable.js';
import { publicText } from '../lib/publicText.js';
import type { Metrics } from '../metrics/metrics.js';
import { sharedQueue, type OutboxTask } from '../outbox/outboxWorker.js';
import { SmsError, toSmsError } from './smsError.js';
import { smsTimeoutMs, type SmsConfig, type SmsSender } from './smsSender.js';
import { composeVoucherSms } from './voucherSms.js';

interface SmsTaskDeps {
  readonly findSlip: FindSlip;
  /** The provider; undefined while there is none, and then SMS wait. */
  provider(): Awaitable<SmsConfig | undefined>;
  readonly sender: SmsSender;
  readonly metrics: Pick<Metrics, 'sms'>;
}

/** SMS are sent at most once, several at a time: what may have been accepted is never sent again. */
export const makeSmsTask = ({ findSlip, provider, sender, metrics }: SmsTaskDeps): OutboxTask<'sms'> => ({
  ...sharedQueue('sms', 'sms', async () => (await provider()) !== undefined),
  label: 'SMS',
  atMostOnce: {
    // Longer than any attempt takes: by then its process has stored how it ended, or is gone.
    maxAttemptMs: 2 * smsTimeoutMs,
    interrupted: { code: 'interrupted', values: {} },
  },
  prepare: async (item) => {
    const config = await provider();
    if (!config) return undefined;
    const sms = toGuestMessage(item);
    const slip = await findSlip(sms);
    if (typeof slip === 'string')
      throw new SmsError({ code: slip, values: {} }, slip === 'voucher-ended' ? 'permanent' : 'temporary');
    const values = { to: sms.to, text: composeVoucherSms(slip) };
    return async (signal) => {
      await sender.send(config, values, signal);
      return { outcome: 'sent' };
    };
  },
  explain: (error, isSending) => {
    const { reason, failure, cause, answer, afterSeconds } = toSmsError(error);
    // An unexpected error may have come after the provider had the SMS, if it came while sending.
    const isTemporary = failure === 'temporary' || (!isSending && reason.code === 'unexpected');
    return {
      outcome: isTemporary ? 'retry' : 'failed',
      reason,
      afterSeconds,
      details: {
        ...(answer !== undefined && { answer }),
        ...(cause !== undefined && { detail: publicText(cause) }),
      },
    };
  },
  word: (reason) => describeReason('sms', reason).en,
  report: ({ key }, outcome) => {
    metrics.sms(outcome);
    return { sms: key };
  },
});
