import { hash } from 'node:crypto';
import type { WindowCounter } from '../rateLimit/windowCounter.js';
import { networkOf } from '../lib/addresses.js';
import { toStoredLine } from '../lib/label.js';

/** From where somebody tries to sign in, or to confirm who they are. Each has counters of its own. */
export type AttemptSource =
  | { readonly kind: 'session'; readonly id: string }
  /** A browser in which this user has signed in before; null where single sign-on will tell who it is. */
  | { readonly kind: 'browser'; readonly id: string; readonly userId: number | null }
  | { readonly kind: 'elsewhere'; readonly address: string; readonly loginKey?: string };

/** Limits the attempts to sign in. */
export interface SignInThrottle {
  /** Counts an attempt, before anything is checked. */
  count(source: AttemptSource): Promise<Attempt | Throttled>;
}

/** An attempt that was counted. */
export interface Attempt {
  readonly accepted: true;
  /**
   * Counts it against the user that was found by the name. False when their attempts are used up: then the
   * password must not be checked, and nobody may notice. Attempts from a session or a known browser are not
   * counted here.
   */
  countUser(userId: number | undefined): Promise<boolean>;
  /** Takes it back, because it gave nothing to guess from. */
  takeBack(): Promise<void>;
}

export interface Throttled {
  readonly accepted: false;
  readonly by: Counted;
  readonly retryAfterSeconds: number;
}

type Counted = 'account' | 'address' | 'browser' | 'session';

/** How long the attempts are counted together. */
export const throttleWindowMs = 15 * 60_000;
const maxAttempts: Readonly<Record<Counted, number>> = { account: 10, address: 30, browser: 10, session: 10 };

interface ThrottleCounters {
  /**
   * For users, their browsers and sessions: names that do not exist can't push these out of a bounded memory.
   */
  readonly known: WindowCounter;
  readonly others: WindowCounter;
}

/**
 * Makes the throttle. From elsewhere, the address comes first: from one that is refused, nobody can use up
 * the attempts of accounts. Then comes what was entered, whether it exists or not, and this alone decides
 * what is answered. Last comes the user, who is one for both their name and e-mail address. Would that one be
 * told, an answer of one name after attempts with the other showed that they are the same user.
 */
export const makeSignInThrottle = ({ known, others }: ThrottleCounters): SignInThrottle => ({
  count: async (source) => {
    const counted: (() => Promise<void>)[] = [];
    const count = async (
      counter: WindowCounter,
      by: Counted,
      key: string,
    ): Promise<Throttled | undefined> => {
      counted.push(() => counter.takeBack(key));
      const { points, leftMs } = await counter.count(key);
      if (points <= maxAttempts[by]) return undefined;
      const seconds = Math.min(Math.max(1, Math.ceil(leftMs / 1000)), throttleWindowMs / 1000);
      return { accepted: false, by, retryAfterSeconds: seconds };
    };
    const counter = source.kind === 'elsewhere' ? others : known;
    for (const [by, key] of keysOf(source)) {
      const throttled = await count(counter, by, key);
      if (throttled) return throttled;
    }
    return {
      accepted: true,
      countUser: async (userId) => {
        if (source.kind !== 'elsewhere') return true;
        const throttled =
          userId === undefined
            ? await count(others, 'account', `sign-in:nobody:${hashLogin(source.loginKey)}`)
            : await count(known, 'account', `sign-in:user:${String(userId)}`);
        return !throttled;
      },
      takeBack: async () => {
        for (const takeBack of counted) await takeBack();
      },
    };
  },
});

const keysOf = (source: AttemptSource): [Counted, string][] => {
  if (source.kind === 'session') return [['session', `sign-in:session:${source.id}`]];
  if (source.kind === 'browser')
    return [['browser', `sign-in:browser:${source.id}:${String(source.userId ?? '')}`]];
  const { address, loginKey } = source;
  const keys: [Counted, string][] = [
    // An IPv6 client has a whole network of addresses.
    ['address', `sign-in:address:${networkOf(toStoredLine(address, 100))}`],
  ];
  if (loginKey !== undefined) keys.push(['account', `sign-in:account:${hashLogin(loginKey)}`]);
  return keys;
};

/** Hashed, because what was entered may be long, and may be a password. */
const hashLogin = (loginKey = ''): string => hash('sha256', loginKey, 'hex');
