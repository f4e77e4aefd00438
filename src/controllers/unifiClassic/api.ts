import type { Effects } from '../../effects.js';
import type { Call, Connection } from '../connection/connection.js';
import { paused } from '../connection/waiting.js';
import type { Session } from './session.js';
import type { Sessions } from './sessions.js';
import { settle, verdictOn, type Verdict } from './verdict.js';

export interface ApiOptions {
  readonly connection: Connection;
  readonly sessions: Sessions;
  readonly name: string;
  readonly effects: Effects;
  /** How long an operation may take. */
  readonly deadlineMs: number;
}

/** UniFi Network behind its session. What a lost session or a throttle prevents is repeated once, nothing else. */
export interface Api {
  /** Paths begin with `/api`, whatever the variant. */
  ask(call: Omit<Call, 'headers'>): Promise<Verdict<readonly unknown[]>>;
  /** As `ask`, for whoever has nothing to say about a failure. */
  data(call: Omit<Call, 'headers'>): Promise<readonly unknown[]>;
  /** The same for calls of another kind: sends within a session, and again within a better one. */
  attempt<T>(
    send: (session: Session) => Promise<Verdict<T>>,
    signal: AbortSignal | undefined,
  ): Promise<Verdict<T>>;
}

export const makeApi = ({ connection, sessions, name, effects, deadlineMs }: ApiOptions): Api => {
  const attempt: Api['attempt'] = async (send, signal) => {
    const end = effects.now() + deadlineMs;
    let mayRenew = true;
    let mayWait = true;
    for (;;) {
      const session = await sessions.get(signal);
      const csrf = session.csrf();
      const verdict = await send(session);
      if (verdict.kind === 'throttled') {
        const inTime = effects.now() + verdict.waitMs < end;
        if (!mayWait || !inTime || !(await paused(verdict.waitMs, signal))) return verdict;
        mayWait = false;
      } else {
        if (!mayRenew || !(await renewed(verdict, session, csrf, signal))) return verdict;
        mayRenew = false;
      }
    }
  };

  /** Was the session the trouble, and is there hope for another? */
  const renewed = async (
    { kind }: Verdict<unknown>,
    session: Session,
    csrf: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<boolean> => {
    if (kind === 'moved') return (await sessions.variant(signal)) !== session.variant;
    if (kind !== 'expired' && kind !== 'csrf') return false;
    const hasFreshToken = kind === 'csrf' && session.csrf() !== csrf;
    if (!hasFreshToken) sessions.drop(session);
    return true;
  };

  const ask: Api['ask'] = (call) =>
    attempt(async (session) => {
      const reply = await connection.call({
        ...call,
        path: session.variant.prefix + call.path,
        headers: session.headers(call.method),
      });
      session.learn(reply.headers);
      return verdictOn(reply);
    }, call.signal);

  return { ask, attempt, data: async (call) => settle(await ask(call), name) };
};
