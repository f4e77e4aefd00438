import { setTimeout as pause } from 'node:timers/promises';
import type { HttpAnswer, HttpRequest } from '../request.js';
import { isExcuse, withKey } from '../target/keys.js';
import { requestOf } from '../target/sample.js';
import { limitHeaders } from '../target/scenarioContext.js';
import { otherMethods } from '../target/scenarios/methods.js';
import { fault, note, skip, type SecurityCheck } from './operation.js';

/** An answer, and when its request was sent and answered. */
interface TimedAnswer {
  readonly answer: HttpAnswer;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** Longer than the rounding of seconds, so that a window that does not come nearer to its end is seen. */
export const pauseMs = 2_100;

/** Follows a key through its window: each request counts, whatever its status, and all answers tell the same end. */
export const checkWindow = async (check: SecurityCheck): Promise<void> => {
  const { contract, operation, target } = check.context;
  const name = 'each request counts, and RateLimit-Reset counts down';
  const keys = target.keys.limited();
  if (isExcuse(keys)) {
    skip(check, name, keys.excuse);
    return;
  }
  if (keys.same) {
    skip(check, name, 'the window of this key was used before');
    return;
  }
  const { key, left } = await keys.open();
  const other = otherMethods(check.context);
  const [wrong] = isExcuse(other) ? [] : other.methods;
  if (left < 2 || limitHeaders(operation, 429, key).length === 0) {
    skip(check, name, 'the limit is too small, or the contract documents no headers of limits');
    return;
  }
  const good = withKey(contract, requestOf(operation, check.sample), key);
  const [path = ''] = good.requestTarget.split('?');
  const wrongMethod: HttpRequest = wrong
    ? withKey(contract, { method: wrong.method, requestTarget: path, headers: [] }, key)
    : good;
  const seen: TimedAnswer[] = [];
  for (const request of [good, wrongMethod, ...Array.from({ length: left - 1 }, () => good)]) {
    const sentAt = performance.now();
    const answer = await target.send(request);
    seen.push({ answer, sentAt, answeredAt: performance.now() });
    if (seen.length === 1) await pause(pauseMs);
  }
  const faults = [...countFaults(seen, key.limit, left), ...windowFaults(seen), ...retryFaults(seen)];
  note(
    check,
    name,
    faults.map((text) => fault(text, `window: ${text.replaceAll(/\d+/g, 'n')}`)),
    good,
  );
};

const headerOf = ({ answer }: TimedAnswer, name: string): number =>
  Number(answer.headers[name] ?? Number.NaN);

const countFaults = (seen: readonly TimedAnswer[], limit: number, left: number): string[] =>
  seen.flatMap((one, index) => {
    const { status } = one.answer;
    const [told, remaining] = [headerOf(one, 'ratelimit-limit'), headerOf(one, 'ratelimit-remaining')];
    const expected = Math.max(0, left - 1 - index);
    return [
      ...(told === limit ? [] : [`RateLimit-Limit of a ${status} is ${told} instead of ${limit}`]),
      ...(remaining === expected
        ? []
        : [
            `RateLimit-Remaining of request ${index + 1}, a ${status}, is ${remaining} instead of ${expected}`,
          ]),
    ];
  });

/** A window that ends in s seconds, rounded up, ends between the sending of the request and s seconds after its answer. */
const windowFaults = (seen: readonly TimedAnswer[]): string[] => {
  const latest = Math.max(...seen.map((one) => one.sentAt + (headerOf(one, 'ratelimit-reset') - 1) * 1_000));
  const soonest = Math.min(...seen.map((one) => one.answeredAt + headerOf(one, 'ratelimit-reset') * 1_000));
  const told = seen.map((one) => headerOf(one, 'ratelimit-reset')).join(', ');
  return latest <= soonest ? [] : [`RateLimit-Reset does not count down to one time: ${told}`];
};

const retryFaults = (seen: readonly TimedAnswer[]): string[] =>
  seen
    .filter(({ answer: { status } }) => status === 429)
    .filter((one) => headerOf(one, 'retry-after') !== headerOf(one, 'ratelimit-reset'))
    .map(({ answer: { headers } }) => {
      const [retry, reset] = [headers['retry-after'] ?? 'absent', headers['ratelimit-reset'] ?? 'absent'];
      return `Retry-After of a 429 is ${retry}, and RateLimit-Reset ${String(reset)}: the window has one end`;
    });
