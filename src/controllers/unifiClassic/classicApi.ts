import type { System } from '../../lib/system.js';
import { remainingMs, sleepUnlessAborted } from '../deadline.js';
import type { Connection } from '../https/connection.js';
import type { ControllerRequest } from '../https/exchange.js';
import type { ClassicSession } from './session.js';
import type { ClassicSessionManager } from './sessionManager.js';
import { type ClassicAnswer, parseClassicAnswer, unwrapAnswer } from './answer.js';

interface ClassicApiOptions {
  readonly connection: Connection;
  readonly sessions: ClassicSessionManager;
  readonly name: string;
  readonly system: System;
  /** How long after its start an operation without a deadline of its own may still wait for a throttle. */
  readonly deadlineMs: number;
}

/** UniFi Network behind its session. What a lost session or a throttle prevents is repeated once, nothing else. */
export interface ClassicApi {
  /** Paths begin with `/api`, whatever the variant. */
  ask(call: Omit<ControllerRequest, 'headers'>): Promise<ClassicAnswer<readonly unknown[]>>;
  /** As `ask`, for whoever has nothing to say about a failure. */
  data(call: Omit<ControllerRequest, 'headers'>): Promise<readonly unknown[]>;
  /** The same for calls of another kind: sends within a session, and again within a better one. */
  attempt<T>(
    send: (session: ClassicSession) => Promise<ClassicAnswer<T>>,
    signal: AbortSignal | undefined,
  ): Promise<ClassicAnswer<T>>;
}

export const makeClassicApi = ({
  connection,
  sessions,
  name,
  system,
  deadlineMs,
}: ClassicApiOptions): ClassicApi => {
  const attempt: ClassicApi['attempt'] = async (send, signal) => {
    const end = system.now() + Math.min(deadlineMs, remainingMs(signal));
    let mayRenew = true;
    let mayWait = true;
    for (;;) {
      const session = await sessions.get(signal);
      const csrf = session.csrf();
      const verdict = await send(session);
      if (verdict.kind === 'throttled') {
        const inTime = system.now() + verdict.waitMs < end;
        if (!mayWait || !inTime || !(await sleepUnlessAborted(verdict.waitMs, signal))) return verdict;
        mayWait = false;
      } else {
        if (!mayRenew || !(await renewed(verdict, session, csrf, signal))) return verdict;
        mayRenew = false;
      }
    }
  };

  /** Was the session the trouble, and is there hope for another? */
  const renewed = async (
    { kind }: ClassicAnswer<unknown>,
    session: ClassicSession,
    csrf: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<boolean> => {
    if (kind === 'moved') return (await sessions.variant(signal)) !== session.variant;
    if (kind !== 'expired' && kind !== 'csrf') return false;
    const hasFreshToken = kind === 'csrf' && session.csrf() !== csrf;
    if (!hasFreshToken) sessions.drop(session);
    return true;
  };

  const ask: ClassicApi['ask'] = (call) =>
    attempt(async (session) => {
      const reply = await connection.call({
        ...call,
        path: session.variant.prefix + call.path,
        headers: session.headers(call.method),
      });
      session.learn(reply.headers);
      return parseClassicAnswer(reply);
    }, call.signal);

  return { ask, attempt, data: async (call) => unwrapAnswer(await ask(call), name) };
};
