import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { jsonReply, type ConsoleReply, type ConsoleRequest } from './router.js';
import type { ConsoleSettings } from './settings.js';

/** Somebody who has logged in. */
export interface ConsoleSession {
  /** The cookie's value: a JWT on UniFi OS, opaque on a self-hosted console. */
  readonly token: string;
  readonly expiresAt: number;
  csrf: string;
}

export interface ConsoleSessions {
  open(): ConsoleSession;
  /** The session of a cookie, unless it is over. */
  find(token: string | undefined): ConsoleSession | undefined;
  close(session: ConsoleSession): void;
  closeAll(): void;
  /** Another CSRF token; the former one is worth nothing any more. */
  rotate(session: ConsoleSession): void;
  /** Notes something handed out that must not be told to others. */
  remember(token: string): string;
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

  const remember = (token: string): string => {
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
      const token = remember(randomUUID());
      const session = {
        token: remember(variant === 'unifi-os' ? jwt(token) : randomBytes(24).toString('base64url')),
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
      session.csrf = remember(randomUUID());
    },
    remember,
    tokens,
  };
};

/** Where this firmware of UniFi OS tells the CSRF token, on every answer to somebody who has a session. */
export const csrfHeaders = (
  { csrf, variant }: ConsoleSettings,
  session: ConsoleSession,
): Record<string, string> => {
  if (variant === 'self-hosted') return {};
  if (csrf === 'header') return { 'x-csrf-token': session.csrf };
  if (csrf === 'updated-header') return { 'x-updated-csrf-token': session.csrf };
  return {};
};

/** Whether a call that changes something carries the session's CSRF token, where one is asked for. */
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
