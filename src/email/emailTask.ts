import type { MailConfig } from '../config/mailEnvironment.js';
import { noUser, toGuestMessage, type GuestMessage } from '../guestMessages/guestMessageTable.js';
import type { FindSlip } from '../guestMessages/guestMessages.js';
import { loadGuestTexts, type GuestLanguage } from '../i18n/guestTexts.js';
import { describeReason } from '../i18n/storedReasons.js';
import type { Awaitable } from '../lib/awaitable.js';
import { publicText } from '../lib/publicText.js';
import type { Metrics } from '../metrics/metrics.js';
import { sharedQueue, type OutboxTask } from '../outbox/outboxWorker.js';
import type { ComposeAccountMail } from './composeAccountMail.js';
import { MailError, toMailError } from './mailError.js';
import type { MailTimeouts } from './mailSender.js';
import type { VoucherEmail } from './voucherEmail.js';

interface EmailTaskDeps {
  readonly findSlip: FindSlip;
  readonly composeAccountMail: ComposeAccountMail;
  /** The mail server; undefined while there is none, and then e-mails wait. */
  mail(): Awaitable<MailConfig | undefined>;
  readonly timeouts?: MailTimeouts;
  readonly metrics: Pick<Metrics, 'email'>;
}

/**
 * E-mails are sent several at a time. One is sent again when a process was killed before it recorded the
 * outcome, but not when a server has the message and does not confirm it.
 */
export const makeEmailTask = (deps: EmailTaskDeps): OutboxTask<'email'> => ({
  ...sharedQueue('email', 'emails', async () => (await deps.mail()) !== undefined),
  label: 'e-mail',
  prepare: async (item) => {
    const { mailTimeouts, makeMailSender } = await import('./mailSender.js');
    const config = await deps.mail();
    if (!config) return undefined;
    const email = toGuestMessage(item);
    const notice = item.message?.notice;
    const composed = await (notice
      ? deps.composeAccountMail({ ...email, notice, userId: item.userId ?? noUser })
      : composeVoucher(email, deps.findSlip));
    const sender = makeMailSender(config, deps.timeouts ?? mailTimeouts);
    return async (signal) => {
      await sender.send({ ...composed, id: email.id, to: email.to }, signal);
      return { outcome: 'sent' };
    };
  },
  explain: (error) => {
    const { reason, failure, cause } = toMailError(error);
    return {
      outcome: failure === 'temporary' ? 'retry' : 'failed',
      reason,
      ...(cause !== undefined && { details: { detail: publicText(cause) } }),
    };
  },
  word: (reason) => describeReason('email', reason).en,
  report: ({ key }, outcome) => {
    deps.metrics.email(outcome);
    return { email: key };
  },
});

const composeVoucher = async (email: GuestMessage<'email'>, findSlip: FindSlip): Promise<VoucherEmail> => {
  const slip = await findSlip(email);
  if (typeof slip === 'string')
    throw new MailError({ code: slip, values: {} }, slip === 'voucher-ended' ? 'permanent' : 'temporary');
  // Loaded when it is used: few services send e-mails all day.
  const { composeVoucherEmail } = await import('./voucherEmail.js');
  return composeVoucherEmail(slip, loadGuestTexts(email.language as GuestLanguage));
};
