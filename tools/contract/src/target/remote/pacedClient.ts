import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpAnswer, HttpClient, HttpRequest } from '../../request.js';
import { BudgetSpent } from '../budget.js';
import type { Key } from '../keys.js';

/** A client that waits instead of exceeding a key's limit. */
export interface PacedClient {
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** How many requests a limited key has left in this window; waits for the next window if this one is nearly over. */
  left(key: Key): Promise<number>;
}

interface Window {
  readonly remaining: number;
  readonly endsAt: number;
}

/** With less time the window might end before all requests are sent. */
const enoughMs = 5_000;

/** Nobody waits for the limit of a day. */
const longestWaitMs = 120_000;

/** Uses the rate limit headers of every answer. Only the key that is meant to be refused is not delayed. */
export const makePacedClient = (client: HttpClient, unpaced: (() => string) | undefined): PacedClient => {
  const windows = new Map<string, Window>();
  const shownIn = ({ headers }: HttpRequest): string =>
    headers
      .filter(([name]) => /^(authorization|x-api-key)$/i.test(name))
      .map(([, value]) => value.replace(/^bearer /i, ''))
      .join();
  const waitFor = async (shown: string): Promise<void> => {
    const { endsAt } = windows.get(shown) ?? { endsAt: 0 };
    const ms = endsAt - performance.now();
    if (ms > longestWaitMs)
      throw new BudgetSpent(`the limit of the service is used up for ${Math.ceil(ms / 1000)} s`);
    if (ms > 0) await sleep(ms);
  };
  /** Answers may overtake each other within a window, so the lowest count is the latest. */
  const note = (shown: string, remaining: number, resetSeconds: number): void => {
    const now = performance.now();
    const known = windows.get(shown);
    const lowest = known && known.endsAt > now ? Math.min(known.remaining, remaining) : remaining;
    windows.set(shown, { remaining: lowest, endsAt: now + resetSeconds * 1000 });
  };
  return {
    send: async (request) => {
      const shown = shownIn(request);
      if (shown !== unpaced?.() && windows.get(shown)?.remaining === 0) await waitFor(shown);
      const answer = await client.send(request);
      const { 'ratelimit-remaining': remaining, 'ratelimit-reset': reset } = answer.headers;
      if (remaining !== undefined) note(shown, Number(remaining), Number(reset));
      return answer;
    },
    left: async (key) => {
      const { remaining, endsAt } = windows.get(key.text()) ?? { remaining: key.limit, endsAt: 0 };
      const msLeft = endsAt - performance.now();
      if (msLeft > enoughMs && remaining > 0) return remaining;
      await waitFor(key.text());
      return key.limit;
    },
  };
};
