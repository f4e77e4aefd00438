import type { System } from '../../lib/system.js';
import { remainingMs, sleepUnlessAborted } from '../deadline.js';
import type { Connection } from '../https/connection.js';
import type { ControllerRequest } from '../https/exchange.js';
import { type ClassicAnswer, parseClassicAnswer, unwrapAnswer } from './answer.js';
import type { ClassicSession } from './session.js';
import type { ClassicSessionManager } from './sessionManager.js';

interface ClassicApiOptions {
  readonly connection: Connection;
  readonly sessions: ClassicSessionManager;
  readonly name: string;
  readonly system: System;
  /** How long after its start an operation without a deadline of its own may still wait for a throttle. */
  readonly deadlineMs: number;
}

/** UniFi Network within a session. Only what an expired session or a throttle prevented is repeated, once. */
export interface ClassicApi {
  /** Paths begin with `/api` for every variant. */
  ask(call: Omit<ControllerRequest, 'headers'>): Promise<ClassicAnswer<readonly unknown[]>>;
  /** As `ask`, but throws unless the answer is successful. */
  data(call: Omit<ControllerRequest, 'headers'>): Promise<readonly unknown[]>;
  /** The same for other kinds of calls: sends within a session, and again within a new one. */
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
      const answer = await send(session);
      if (answer.kind === 'throttled') {
        const inTime = system.now() + answer.waitMs < end;
        if (!mayWait || !inTime || !(await sleepUnlessAborted(answer.waitMs, signal))) return answer;
        mayWait = false;
      } else {
        if (!mayRenew || !(await renewed(answer, session, csrf, signal))) return answer;
        mayRenew = false;
      }
    }
  };

  /** Was the session the reason, and may a new one help? */
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
