import type { HttpAnswer, HttpRequest } from '../request.js';
import type { Target } from '../target/target.js';

/** What is wrong with how a key's limit is kept, when so many of its requests are left. */
export const limitFaults = async (
  target: Pick<Target, 'send'>,
  request: HttpRequest,
  left: number,
): Promise<string[]> => {
  const tooMany = 2;
  // All at once: a limit that is checked first and counted later lets more through.
  const answers = await Promise.all(Array.from({ length: left + tooMany }, () => target.send(request)));
  const refused = answers.filter(({ status }) => status === 429);
  const accepted = answers.filter(({ status }) => status !== 429);
  return [
    ...(accepted.length === left
      ? []
      : [`${accepted.length} of ${answers.length} requests at once were let through instead of ${left}`]),
    ...refused.flatMap(retryFaults),
    ...countFaults(accepted, left),
  ];
};

/** A client that waits as long as it is told must be let in again: the window is a minute long. */
const retryFaults = ({ headers }: HttpAnswer): string[] => {
  const seconds = headers['retry-after'] ?? '';
  return /^([1-9]|[1-5]\d|60)$/.test(seconds)
    ? []
    : [`Retry-After of a 429 is "${seconds}" instead of 1 to 60`];
};

/** Each request that was let through took one from what is left. */
const countFaults = (accepted: readonly HttpAnswer[], count: number): string[] => {
  const told = accepted.map(({ headers }) => Number(headers['ratelimit-remaining'])).sort((a, b) => a - b);
  const expected = Array.from({ length: count }, (_, index) => index);
  return told.join() === expected.join()
    ? []
    : [`RateLimit-Remaining counted ${told.join(', ')} instead of ${expected.join(', ')}`];
};
