import type { TargetAnswer, Verdict } from '../format.js';

/** `Retry-After` in seconds. A date counts from the target's own clock: ours may differ. */
const retryAfterOf = ({ headers }: TargetAnswer): number | undefined => {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.parse(headers.date ?? '')) / 1000;
  return value.endsWith('GMT') && Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
};

/** A platform's own word for the failure, when it is only that; anything else could hold what nobody may read. */
const wordOf = ({ body }: TargetAnswer): string => {
  const word = body.trim();
  return /^[a-z_]{1,60}$/.test(word) ? ` (${word})` : '';
};

/** Worth another try, not before the target says so. */
export const retry = (answer: TargetAnswer, reason: string, wholeTarget: boolean): Verdict => {
  const afterSeconds = retryAfterOf(answer);
  return { outcome: 'retry', reason, wholeTarget, ...(afterSeconds !== undefined && { afterSeconds }) };
};

export const throttled = (answer: TargetAnswer): Verdict => retry(answer, 'throttled (429)', true);

/** These judge the message; every other failure concerns the target, and what is behind would fail as well. */
const aboutMessage = [400, 413, 414, 415, 422];

/**
 * What an answer means on a platform where these statuses say that no further try would help. Any 2xx was taken, also
 * one that the platform does not name: nothing is sent twice after it.
 */
export const judgeBy =
  (failed: readonly number[]) =>
  (answer: TargetAnswer): Verdict => {
    const { status } = answer;
    if (status >= 200 && status < 300) return { outcome: 'delivered' };
    const reason = `answered ${status}${wordOf(answer)}`;
    if (failed.includes(status)) return { outcome: 'failed', reason };
    if (status === 429) return throttled(answer);
    // The address itself moved; following it would send what we send to somebody else.
    if (status >= 300 && status < 400) return retry(answer, `answered ${status}, a redirect`, true);
    return retry(answer, reason, !aboutMessage.includes(status));
  };
