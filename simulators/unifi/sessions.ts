import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { jsonReply, type ConsoleReply, type ConsoleRequest } from './router.js';
import type { ConsoleSettings } from './settings.js';

/** A login. */
export interface ConsoleSession {
  /** The cookie's value: a JWT on UniFi OS, opaque on a self-hosted console. */
  readonly token: string;
  readonly expiresAt: number;
  csrf: string;
}

export interface ConsoleSessions {
  open(): ConsoleSession;
  /** The session of a cookie, unless it has expired. */
  find(token: string | undefined): ConsoleSession | undefined;
  close(session: ConsoleSession): void;
  closeAll(): void;
  /** Issues a new CSRF token; the previous one becomes invalid. */
  rotate(session: ConsoleSession): void;
  /** Records a secret that was sent to a client, so that tests can look for leaks. */
  recordToken(token: string): string;
  readonly tokens: readonly string[];
}

export const makeConsoleSessions = ({
  variant,
  clock,
  sessionTtlMs,
  username,
  csrf,
}: ConsoleSettings): ConsoleSessions => {
  const open = new Map<string, ConsoleSession>();
  const tokens: string[] = [];
  const signingKey = randomBytes(32);

  const recordToken = (token: string): string => {
    tokens.push(token);
    return token;
  };

  const jwt = (csrfToken: string): string => {
    const iat = Math.floor(clock() / 1000);
    const exp = iat + Math.ceil(sessionTtlMs / 1000);
    const claims = {
      userId: randomUUID(),
      username,
      jti: randomUUID(),
      iat,
      exp,
      ...(csrf !== 'none' && { csrfToken }),
    };
    const unsigned = [{ alg: 'HS256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${unsigned}.${createHmac('sha256', signingKey).update(unsigned).digest('base64url')}`;
  };

  return {
    open: () => {
      const token = recordToken(randomUUID());
      const session = {
        token: recordToken(variant === 'unifi-os' ? jwt(token) : randomBytes(24).toString('base64url')),
        expiresAt: clock() + sessionTtlMs,
        csrf: token,
      };
      open.set(session.token, session);
      return session;
    },
    find: (token) => {
      const session = token === undefined ? undefined : open.get(token);
      if (!session || session.expiresAt > clock()) return session;
      open.delete(session.token);
      return undefined;
    },
    close: (session) => {
      open.delete(session.token);
    },
    closeAll: () => {
      open.clear();
    },
    rotate: (session) => {
      session.csrf = recordToken(randomUUID());
    },
    recordToken,
    tokens,
  };
};

/** The header that carries the CSRF token in replies of a session; which one depends on the firmware. */
export const csrfHeaders = (
  { csrf, variant }: ConsoleSettings,
  session: ConsoleSession,
): Record<string, string> => {
  if (variant === 'self-hosted') return {};
  if (csrf === 'header') return { 'x-csrf-token': session.csrf };
  if (csrf === 'updated-header') return { 'x-updated-csrf-token': session.csrf };
  return {};
};

/** Whether a request that changes something carries the session's CSRF token, if one is required. */
export const isCsrfValid = (
  { csrf, variant }: ConsoleSettings,
  session: ConsoleSession,
  { method, headers }: ConsoleRequest,
): boolean =>
  variant === 'self-hosted' ||
  csrf === 'none' ||
  method === 'GET' ||
  headers['x-csrf-token'] === session.csrf;

export const invalidCsrf = (): ConsoleReply =>
  jsonReply(403, { error: { code: 403, message: 'Invalid CSRF Token' } });
