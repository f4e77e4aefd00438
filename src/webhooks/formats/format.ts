import type { PageLanguage } from '../../i18n/language.js';
import type { Notification } from '../notificationTable.js';
import type { IncomingHttpHeaders } from 'node:http';
import type { AttemptReason } from '../../i18n/storedReasons.js';

export const formatNames = [
  'generic',
  'slack',
  'mattermost',
  'discord',
  'teams',
  'google-chat',
  'php-tool',
] as const;

/** The name of a format: one kind of target. */
export type FormatName = (typeof formatNames)[number];

/**
 * The event that a target receives. Never contains a code. Its id is the
 * same for every attempt and every webhook. A test tells of vouchers.
 */
export type WebhookEvent = Notification & {
  /** Is this only a test of the webhook? */
  readonly test: boolean;
};

interface ComposeOptions {
  readonly language: PageLanguage;
  /** For formats that sign: the current secret first, then older ones that still sign. */
  readonly secrets: readonly string[];
  /** The time of this attempt. */
  readonly now: number;
}

/** A message to a target. */
export interface WebhookMessage {
  /** POST where it is left out. */
  readonly method?: 'POST' | 'PUT' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer of a target. */
export interface WebhookResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of the body. */
  readonly body: string;
}

/** The meaning of an answer. */
export type DeliveryVerdict =
  | { readonly outcome: 'delivered' }
  /** Another attempt would not help. `switchOff`: the target asks for no further messages. */
  | { readonly outcome: 'failed'; readonly reason: AttemptReason; readonly switchOff?: boolean }
  /**
   * Another attempt may succeed, but not before `afterSeconds`. `wholeTarget`: the failure concerns the
   * target and not only this message (throttled, down), so the deliveries behind it wait, too.
   */
  | {
      readonly outcome: 'retry';
      readonly reason: AttemptReason;
      readonly afterSeconds?: number;
      readonly wholeTarget: boolean;
    };

/** One kind of target. */
export interface WebhookFormat {
  readonly name: FormatName;
  compose(event: WebhookEvent, options: ComposeOptions): WebhookMessage;
  judge(answer: WebhookResponse): DeliveryVerdict;
}

/** `Retry-After` in seconds. A date is compared with the target's own clock: ours may differ. */
export const retryAfterOf = ({ headers }: WebhookResponse): number | undefined => {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.parse(headers.date ?? '')) / 1000;
  return value.endsWith('GMT') && Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
};

/** The platform's error code, if the body is nothing else: any other text could contain secrets. */
const errorCodeOf = ({ body }: WebhookResponse): string | undefined => {
  const code = body.trim();
  return /^[a-z_]{1,60}$/.test(code) ? code : undefined;
};

/** Another attempt, not before the time that the target asks for. */
const retryVerdict = (
  answer: WebhookResponse,
  reason: AttemptReason,
  wholeTarget: boolean,
): DeliveryVerdict => {
  const afterSeconds = retryAfterOf(answer);
  return { outcome: 'retry', reason, wholeTarget, ...(afterSeconds !== undefined && { afterSeconds }) };
};

/** The verdict of an answer that means 429. */
export const throttledVerdict = (answer: WebhookResponse): DeliveryVerdict =>
  retryVerdict(answer, { code: 'throttled', values: {} }, true);

/**
 * These concern only the message. Every other failure concerns the target:
 * the next message would fail as well.
 */
const messageStatuses = [400, 413, 414, 415, 422];

/**
 * Judges answers by their status on a platform where the given ones mean that another attempt would not help.
 * Every 2xx counts as delivered, even one that the platform does not document, so that nothing is sent twice.
 */
export const judgeByStatus =
  (failed: readonly number[]) =>
  (answer: WebhookResponse): DeliveryVerdict => {
    const { status } = answer;
    if (status >= 200 && status < 300) return { outcome: 'delivered' };
    const code = errorCodeOf(answer);
    const reason: AttemptReason =
      code === undefined
        ? { code: 'answered', values: { status } }
        : { code: 'answered-code', values: { status, code } };
    if (failed.includes(status)) return { outcome: 'failed', reason };
    if (status === 429) return throttledVerdict(answer);
    // Not followed: the message would go to another host than the operator has chosen.
    if (status >= 300 && status < 400)
      return retryVerdict(answer, { code: 'redirected', values: { status } }, true);
    return retryVerdict(answer, reason, !messageStatuses.includes(status));
  };

export const isFormatName = (text: string): text is FormatName =>
  (formatNames as readonly string[]).includes(text);
