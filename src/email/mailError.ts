import { describeReason, type EmailReason } from '../i18n/storedReasons.js';
import { CodedError } from '../errors/codedError.js';

/**
 * What a failed attempt means: retry, a retry would fail again,
 * or it is not known whether the e-mail was sent.
 */
type MailFailure = 'temporary' | 'permanent' | 'unknown';

/** An e-mail was not sent. Staff read the reason in their language; the log also has the cause. */
export class MailError extends CodedError<EmailReason['code']> {
  override readonly name = 'MailError';

  constructor(
    readonly reason: EmailReason,
    readonly failure: MailFailure,
    cause?: unknown,
  ) {
    super(reason.code, describeReason('email', reason).en, {
      kind: 'unavailable',
      ...(cause !== undefined && { cause }),
    });
  }
}

/** What is stored of any error. */
export const toMailError = (error: unknown): MailError =>
  error instanceof MailError ? error : new MailError({ code: 'unexpected', values: {} }, 'temporary', error);
