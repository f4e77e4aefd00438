import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Settings } from './settings.js';

/** Somebody who has logged in. */
export interface Session {
  /** The cookie's value: a JWT on UniFi OS, opaque on a self-hosted console. */
  readonly token: string;
  readonly expiresAt: number;
  csrf: string;
}

export interface Sessions {
  open(): Session;
  /** The session of a cookie, unless it is over. */
  find(token: string | undefined): Session | undefined;
  close(session: Session): void;
  closeAll(): void;
  /** Another CSRF token; the former one is worth nothing any more. */
  rotate(session: Session): void;
  /** Notes something handed out that must not be told to others. */
  remember(token: string): string;
  readonly tokens: readonly string[];
}

export const makeSessions = ({ variant, clock, sessionTtlMs, username, csrf }: Settings): Sessions => {
  const open = new Map<string, Session>();
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
