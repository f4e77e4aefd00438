import { describeReason, type SmsReason } from '../i18n/storedReasons.js';
import { CodedError } from '../errors/codedError.js';

/**
 * What a failed attempt means: retry, a retry would fail again, or it is not known whether the provider has
 * accepted the SMS. Then it is not sent again: each one costs money, and guests would get it twice.
 */
type SmsFailure = 'temporary' | 'permanent' | 'unknown';

interface SmsErrorOptions {
  /** What the provider answered, without secrets and numbers. */
  readonly answer?: string | undefined;
  /** How long the provider asks to wait. */
  readonly afterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** An SMS was not sent, or it is not known. */
export class SmsError extends CodedError<SmsReason['code']> {
  override readonly name = 'SmsError';
  readonly answer: string | undefined;
  readonly afterSeconds: number | undefined;

  constructor(
    readonly reason: SmsReason,
    readonly failure: SmsFailure,
    { answer, afterSeconds, cause }: SmsErrorOptions = {},
  ) {
    super(reason.code, describeReason('sms', reason).en, {
      kind: 'unavailable',
      ...(cause !== undefined && { cause }),
    });
    this.answer = answer;
    this.afterSeconds = afterSeconds;
  }
}

/** What is stored of any error. One that nobody expected may have come after the provider had the SMS. */
export const toSmsError = (error: unknown): SmsError =>
  error instanceof SmsError
    ? error
    : new SmsError({ code: 'unexpected', values: {} }, 'unknown', { cause: error });
