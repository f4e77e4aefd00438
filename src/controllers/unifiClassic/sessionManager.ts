import type { Log } from '../../log/log.js';
import type { System } from '../../lib/system.js';
import { waitOrAbort } from '../deadline.js';
import { ControllerError, deadlineError, withKnownOutcome } from '../errors.js';
import { toWholeSeconds, type Failure } from '../failure.js';
import type { Connection } from '../https/connection.js';
import type { ControllerReply } from '../https/exchange.js';
import { asFields, asNumber, asText, tryParseJson } from '../parsing.js';
import { parseErrorCode, quoteAnswer } from './answer.js';
import type { ClassicSession } from './session.js';
import { detectVariant, type ClassicVariant } from './variant.js';

interface ClassicSessionManagerOptions {
  readonly connection: Connection;
  readonly account: Account;
  /** The controller's name, for messages. */
  readonly name: string;
  readonly system: System;
  readonly log: Log;
}

/** The one session with a controller, shared by all calls. */
export interface ClassicSessionManager {
  /** The current session or a new one; concurrent callers share one login. */
  get(signal?: AbortSignal): Promise<ClassicSession>;
  /** Drops an expired session, unless it was replaced already. */
  drop(session: ClassicSession): void;
  /** Asks the controller for its variant. If that has changed, the session is dropped. */
  variant(signal?: AbortSignal): Promise<ClassicVariant>;
  /** Signs out if possible. */
  end(): Promise<void>;
}

const logoutTimeoutMs = 2000;

export const makeClassicSessionManager = ({
  connection,
  account,
  name,
  system,
  log,
}: ClassicSessionManagerOptions): ClassicSessionManager => {
  let variant: ClassicVariant | undefined;
  let current: ClassicSession | undefined;
  let pending: Promise<ClassicSession> | undefined;
  let refused: (LoginRefusal & { readonly until: number }) | undefined;

  const login = (session: ClassicSession): Promise<ControllerReply> => {
    const { kind, loginPath } = session.variant;
    return withKnownOutcome(
      connection.call({
        method: 'POST',
        path: loginPath,
        // Without `strict`, newer self-hosted controllers return no CSRF token.
        json: { ...account, rememberMe: true, ...(kind === 'self-hosted' && { strict: true }) },
      }),
    );
  };

  const signIn = async (): Promise<ClassicSession> => {
    const known = variant;
    variant = undefined;
    const now = known ?? (await detectVariant(connection, name));
    // Loaded here: only this kind of controller needs the library for cookies.
    const { makeClassicSession } = await import('./session.js');
    const session = makeClassicSession(now, system);
    const reply = await login(session);
    if (reply.status === 404 && known) return signIn();
    const refusal = parseLoginRefusal(reply, name);
    if (refusal) {
      refused = { ...refusal, until: system.now() + refusal.blockMs };
      log.warn({ controller: name, code: refusal.kind }, 'login refused');
      throw loginError(refusal.kind, name, refusal.blockMs);
    }
    session.learn(reply.headers);
    if (!session.hasCookies()) throw new ControllerError(name, { kind: 'unreadable', reason: 'no-session' });
    variant = now;
    return session;
  };

  const refuseIfRefused = (): void => {
    if (!refused) return;
    const leftMs = refused.until - system.now();
    // More than the whole time is left if the clock was set back.
    if (leftMs > 0 && leftMs <= refused.blockMs) throw loginError(refused.kind, name, leftMs);
    refused = undefined;
  };

  const newSession = (): Promise<ClassicSession> => {
    refuseIfRefused();
    return signIn()
      .then((session) => (current = session))
      .finally(() => {
        pending = undefined;
      });
  };

  const drop = (session: ClassicSession): void => {
    if (current === session) current = undefined;
  };

  return {
    get: async (signal) => {
      if (signal?.aborted) throw deadlineError(name);
      if (current?.endsSoon()) current = undefined;
      return waitOrAbort(current ? Promise.resolve(current) : (pending ??= newSession()), name, signal);
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
          signal: AbortSignal.timeout(logoutTimeoutMs),
        })
        .catch(() => undefined);
    },
  };
};

export interface Account {
  readonly username: string;
  readonly password: string;
}

type LoginFailure = 'locked-out' | 'two-factor' | 'credentials' | 'permission';

/** A refused login, and for how long no other is tried. */
interface LoginRefusal {
  readonly kind: LoginFailure;
  readonly blockMs: number;
}

/** Another login within this time would cause or extend a lock-out. */
const loginBlockMs = 60_000;

/** Undefined for a successful login. Throws if the answer says nothing about the account. */
const parseLoginRefusal = (reply: ControllerReply, name: string): LoginRefusal | undefined => {
  const { status, headers, text } = reply;
  const body = asFields(tryParseJson(text));
  const message = parseErrorCode(body);
  const code = asText(body['code']) ?? '';
  if (status === 429 || /LIMIT_REACHED/i.test(code))
    return { kind: 'locked-out', blockMs: parseBlockMs(headers['retry-after']) };
  if (status === 499 || /2fa|mfa/i.test(message ?? code))
    return { kind: 'two-factor', blockMs: loginBlockMs };
  const inner = asNumber(asFields(body['error'])['code']) ?? status;
  if (!isJsonObject(text) || inner >= 500)
    throw new ControllerError(name, { kind: 'unreadable', reason: 'login', status });
  if (message === 'api.err.NoPermission') return { kind: 'permission', blockMs: loginBlockMs };
  if ([400, 401, 403].includes(inner) || message === 'api.err.Invalid')
    return { kind: 'credentials', blockMs: loginBlockMs };
  if (inner >= 300 || message !== undefined)
    throw new ControllerError(name, { kind: 'refused', reason: 'login', ...quoteAnswer(message, inner) });
  return undefined;
};

const isJsonObject = (text: string): boolean => {
  const value = tryParseJson(text);
  return typeof value === 'object' && value !== null;
};

const parseBlockMs = (retryAfter: string | undefined): number =>
  Math.max(loginBlockMs, (asNumber(retryAfter) ?? 0) * 1000);

const loginError = (kind: LoginFailure, name: string, leftMs: number): ControllerError => {
  const seconds = toWholeSeconds(leftMs);
  const failures: { readonly [K in LoginFailure]: Failure<K> } = {
    'locked-out': { kind: 'locked-out', seconds },
    'two-factor': { kind: 'two-factor' },
    credentials: { kind: 'credentials', of: 'account', seconds },
    permission: { kind: 'permission', of: 'account' },
  };
  return new ControllerError(name, failures[kind]);
};
