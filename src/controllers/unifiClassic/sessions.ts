import type { Effects } from '../../effects.js';
import type { Log } from '../../log.js';
import type { CallReply, Connection } from '../connection/connection.js';
import { late } from '../connection/errors.js';
import { certainly, orLate } from '../connection/waiting.js';
import { ControllerError } from '../controller.js';
import { loginRefusal, refusalError, type Account, type LoginRefusal } from './login.js';
import { makeSession, type Session } from './session.js';
import { detectVariant, type Variant } from './variant.js';

export interface SessionsOptions {
  readonly connection: Connection;
  readonly account: Account;
  /** What the controller is called, for what is said about it. */
  readonly name: string;
  readonly effects: Effects;
  readonly log: Log;
}

/** The one session with a controller, whoever needs it. */
export interface Sessions {
  /** The session that there is, or a new one; however many wait for it, there is one login. */
  get(signal?: AbortSignal): Promise<Session>;
  /** Lets go of a session that is no longer good. One that came after it stays. */
  drop(session: Session): void;
  /** Asks the controller which variant it is. When it has become another, its session is let go. */
  variant(signal?: AbortSignal): Promise<Variant>;
  /** Signs out, if it can. */
  end(): Promise<void>;
}

const logoutMs = 2000;

export const makeSessions = ({ connection, account, name, effects, log }: SessionsOptions): Sessions => {
  let variant: Variant | undefined;
  let current: Session | undefined;
  let pending: Promise<Session> | undefined;
  let refused: (LoginRefusal & { readonly until: number }) | undefined;

  const login = (session: Session): Promise<CallReply> => {
    const { kind, loginPath } = session.variant;
    return certainly(
      connection.call({
        method: 'POST',
        path: loginPath,
        // Strict: without it newer self-hosted ones give no CSRF token.
        json: { ...account, rememberMe: true, ...(kind === 'self-hosted' && { strict: true }) },
      }),
    );
  };

  const signIn = async (): Promise<Session> => {
    const kept = variant;
    variant = undefined;
    const now = kept ?? (await detectVariant(connection, name));
    const session = makeSession(now, effects);
    const reply = await login(session);
    if (reply.status === 404 && kept) return signIn();
    const refusal = loginRefusal(reply, name);
    if (refusal) {
      refused = { ...refusal, until: effects.now() + refusal.restMs };
      log.warn({ controller: name, trouble: refusal.trouble }, 'login refused');
      throw refusalError(refusal.trouble, name, refusal.restMs);
    }
    session.learn(reply.headers);
    if (!session.hasCookies())
      throw new ControllerError(name, { trouble: 'unreadable', reason: 'no-session' });
    variant = now;
    return session;
  };

  const refuseIfRefused = (): void => {
    if (!refused) return;
    const leftMs = refused.until - effects.now();
    // More than the whole time is left when the clock was put back.
    if (leftMs > 0 && leftMs <= refused.restMs) throw refusalError(refused.trouble, name, leftMs);
    refused = undefined;
  };

  const newSession = (): Promise<Session> => {
    refuseIfRefused();
    return signIn()
      .then((session) => (current = session))
      .finally(() => {
        pending = undefined;
      });
  };

  const drop = (session: Session): void => {
    if (current === session) current = undefined;
  };

  return {
    get: async (signal) => {
      if (signal?.aborted) throw late(name);
      if (current?.endsSoon()) current = undefined;
      return orLate(current ? Promise.resolve(current) : (pending ??= newSession()), name, signal);
    },
    drop,
    variant: async (signal) => {
      const seen = await detectVariant(connection, name, signal);
      if (current && current.variant !== seen) current = undefined;
      return (variant = seen);
    },
    end: async () => {
      await pending?.catch(() => undefined);
      const session = current;
      if (!session) return;
      current = undefined;
      await connection
        .call({
          method: 'POST',
          path: session.variant.logoutPath,
          headers: session.headers('POST'),
          json: {},
          signal: AbortSignal.timeout(logoutMs),
        })
        .catch(() => undefined);
    },
  };
};
