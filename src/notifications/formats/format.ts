import type { IncomingHttpHeaders } from 'node:http';

export const formatNames = ['generic', 'slack', 'mattermost', 'discord', 'teams', 'google-chat'] as const;

/** How a notification is written down for one kind of target. */
export type FormatName = (typeof formatNames)[number];

export const languages = ['de', 'en'] as const;

export type Language = (typeof languages)[number];

/** What a target is told: vouchers were created. Never a code. */
export interface WebhookEvent {
  /** The same for every try, and for every webhook. */
  readonly id: string;
  readonly count: number;
  readonly site: string;
  readonly source: string;
  /** When it happened. */
  readonly createdAt: number;
  /** Is this only a test of the webhook? */
  readonly test: boolean;
}

interface ComposeOptions {
  readonly language: Language;
  /** For formats that sign: the current secret first, then those that are still accepted. */
  readonly secrets: readonly string[];
  /** The time of this try. */
  readonly now: number;
}

/** What is posted. */
export interface WebhookMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a target answered. */
export interface WebhookResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of its body. */
  readonly body: string;
}

/** What an answer means. */
export type DeliveryVerdict =
  | { readonly outcome: 'delivered' }
  /** No further try would help. `switchOff`: the target wants nothing any more. */
  | { readonly outcome: 'failed'; readonly reason: string; readonly switchOff?: boolean }
  /**
   * Worth another try. `afterSeconds`: not before. `wholeTarget`: it concerns the target and not this message alone
   * (throttled, down), so that what waits behind it waits too.
   */
  | {
      readonly outcome: 'retry';
      readonly reason: string;
      readonly afterSeconds?: number;
      readonly wholeTarget: boolean;
    };

/** One kind of target. */
export interface WebhookFormat {
  readonly name: FormatName;
  compose(event: WebhookEvent, options: ComposeOptions): WebhookMessage;
  judge(answer: WebhookResponse): DeliveryVerdict;
}

/** `Retry-After` in seconds. A date counts from the target's own clock: ours may differ. */
const retryAfterOf = ({ headers }: WebhookResponse): number | undefined => {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.parse(headers.date ?? '')) / 1000;
  return value.endsWith('GMT') && Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
};

/** A platform's own word for the failure, when it is only that; anything else could hold what nobody may read. */
const errorWordOf = ({ body }: WebhookResponse): string => {
  const word = body.trim();
  return /^[a-z_]{1,60}$/.test(word) ? ` (${word})` : '';
};

/** Worth another try, not before the target says so. */
const retryVerdict = (answer: WebhookResponse, reason: string, wholeTarget: boolean): DeliveryVerdict => {
  const afterSeconds = retryAfterOf(answer);
  return { outcome: 'retry', reason, wholeTarget, ...(afterSeconds !== undefined && { afterSeconds }) };
};

export const throttledVerdict = (answer: WebhookResponse): DeliveryVerdict =>
  retryVerdict(answer, 'throttled (429)', true);

/** These judge the message; every other failure concerns the target, and what is behind would fail as well. */
const messageStatuses = [400, 413, 414, 415, 422];

/**
 * What an answer means on a platform where these statuses say that no further try would help. Any 2xx was taken, also
 * one that the platform does not name: nothing is sent twice after it.
 */
export const judgeByStatus =
  (failed: readonly number[]) =>
  (answer: WebhookResponse): DeliveryVerdict => {
    const { status } = answer;
    if (status >= 200 && status < 300) return { outcome: 'delivered' };
    const reason = `answered ${status}${errorWordOf(answer)}`;
    if (failed.includes(status)) return { outcome: 'failed', reason };
    if (status === 429) return throttledVerdict(answer);
    // The address itself moved; following it would send what we send to somebody else.
    if (status >= 300 && status < 400) return retryVerdict(answer, `answered ${status}, a redirect`, true);
    return retryVerdict(answer, reason, !messageStatuses.includes(status));
  };

export const isFormatName = (text: string): text is FormatName =>
  (formatNames as readonly string[]).includes(text);

export const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text);
