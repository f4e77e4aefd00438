import { randomUUID } from 'node:crypto';
import { classicError, classicOk } from './classicFormat.js';
import {
  htmlReply,
  isJsonObject,
  jsonReply,
  parseJson,
  redirectReply,
  route,
  type ConsoleReply,
  type ConsoleRequest,
  type Route,
} from './router.js';
import {
  csrfHeaders,
  invalidCsrf,
  isCsrfValid,
  type ConsoleSession,
  type ConsoleSessions,
} from './sessions.js';
import { isVersionAtLeast, type ConsoleSettings } from './settings.js';

/** What an authenticator would show. */
const secondFactor = '123456';

/** The credentials of a login request, as far as they can be parsed. */
interface LoginAttempt {
  readonly verdict: 'right' | 'wrong' | 'unreadable';
  /** Whether this field holds the second factor. */
  hasSecondFactor(field: string): boolean;
  /** Requests a cookie with the CSRF token. */
  readonly strict: boolean;
}

const readLoginAttempt = (call: ConsoleRequest, { username, password }: ConsoleSettings): LoginAttempt => {
  const body = parseJson(call.body);
  if (!isJsonObject(body)) return { verdict: 'unreadable', hasSecondFactor: () => false, strict: false };
  return {
    verdict: body['username'] === username && body['password'] === password ? 'right' : 'wrong',
    hasSecondFactor: (field) => String(body[field]) === secondFactor,
    strict: body['strict'] === true,
  };
};

const windowMs = 60_000;

/** The login of UniFi OS, and the pages by which clients detect it. */
export const unifiOsLoginRoutes = (settings: ConsoleSettings, sessions: ConsoleSessions): Route[] => {
  const user = {
    unique_id: randomUUID(),
    username: settings.username,
    full_name: settings.username,
    status: 'ACTIVE',
    roles: [{ unique_id: randomUUID(), name: settings.readOnly ? 'View Only' : 'Super Admin' }],
    permissions: { 'network.management': [settings.readOnly ? 'readonly' : 'admin'] },
    scopes: [],
  };
  const isThrottled = makeThrottle(settings);

  const login = (call: ConsoleRequest): ConsoleReply => {
    if (isThrottled()) {
      return failure(429, 'AUTHENTICATION_FAILED_LIMIT_REACHED', "You've reached the login attempt limit");
    }
    const { verdict, hasSecondFactor } = readLoginAttempt(call, settings);
    if (verdict === 'unreadable') return failure(400, 'BAD_REQUEST', 'Bad request');
    if (verdict === 'wrong') {
      const message = 'Invalid username or password';
      return settings.legacyErrors
        ? jsonReply(401, { errors: [message] })
        : failure(403, 'AUTHENTICATION_FAILED_INVALID_CREDENTIALS', message);
    }
    if (settings.twoFactor && !hasSecondFactor('token')) {
      return jsonReply(499, {
        data: { mfaCookie: `UBIC_2FA=${sessions.recordToken(randomUUID())}` },
        meta: { rc: 'error', msg: 'api.err.Ubic2faTokenRequired' },
      });
    }
    const session = sessions.open();
    // Recent firmware partitions it per embedding page, an attribute that some cookie jars cannot parse.
    const partitioned = isVersionAtLeast(settings.version, '10.0.0') ? '; Partitioned' : '';
    return jsonReply(200, user, {
      'set-cookie': [`TOKEN=${session.token}; Path=/; HttpOnly; Secure; SameSite=Strict${partitioned}`],
      ...csrfHeaders(settings, session),
    });
  };

  const signedIn =
    (handle: (session: ConsoleSession) => ConsoleReply) =>
    (call: ConsoleRequest): ConsoleReply => {
      const session = sessions.find(call.cookies.get('TOKEN'));
      if (!session) return jsonReply(401, { error: { code: 401, message: 'Unauthorized' } });
      return isCsrfValid(settings, session, call) ? handle(session) : invalidCsrf();
    };

  return [
    route('GET', '/', 'GET /', () => htmlReply(200, '<!doctype html><title>UniFi OS</title>'), 'probe'),
    route('POST', '/api/auth/login', 'POST login', login, 'login'),
    route(
      'POST',
      '/api/auth/logout',
      'POST logout',
      signedIn((session) => {
        sessions.close(session);
        return jsonReply(200, {});
      }),
    ),
    route(
      'GET',
      '/api/users/self',
      'GET users/self',
      signedIn((session) => jsonReply(200, user, csrfHeaders(settings, session))),
    ),
  ];
};

const failure = (status: number, code: string, message: string): ConsoleReply =>
  jsonReply(status, { code, message, level: 'debug' });

/** Counts the logins of the last minute, successful ones included, except those refused by this limit. */
const makeThrottle = ({ clock, loginLimit }: ConsoleSettings): (() => boolean) => {
  let recent: number[] = [];
  return () => {
    const now = clock();
    recent = recent.filter((at) => at > now - windowMs);
    if (recent.length >= loginLimit) return true;
    recent.push(now);
    return false;
  };
};

/** The login of a self-hosted Network application, and the pages by which clients detect it. */
export const selfHostedLoginRoutes = (settings: ConsoleSettings, sessions: ConsoleSessions): Route[] => {
  const login = (call: ConsoleRequest): ConsoleReply => {
    const { verdict, hasSecondFactor, strict } = readLoginAttempt(call, settings);
    if (verdict === 'unreadable') return classicError(400, 'api.err.InvalidPayload');
    if (verdict === 'wrong') return classicError(settings.legacyErrors ? 401 : 400, 'api.err.Invalid');
    if (settings.twoFactor && !hasSecondFactor('ubic_2fa_token')) {
      // With a status of success.
      return classicError(200, 'api.err.Ubic2faTokenRequired');
    }
    const session = sessions.open();
    const cookies = [`unifises=${session.token}; Path=/; Secure; HttpOnly`];
    if (strict && settings.csrf !== 'none') cookies.push(`csrf_token=${session.csrf}; Path=/; Secure`);
    return classicOk([], { 'set-cookie': cookies });
  };

  const logout = (call: ConsoleRequest): ConsoleReply => {
    const session = sessions.find(call.cookies.get('unifises'));
    if (session) sessions.close(session);
    return classicOk([]);
  };

  return [
    route('GET', '/', 'GET /', () => redirectReply(302, '/manage'), 'probe'),
    route(
      'GET',
      '/manage',
      'GET /manage',
      () => htmlReply(200, '<!doctype html><title>UniFi Network</title>'),
      'probe',
    ),
    route('POST', '/api/login', 'POST login', login, 'login'),
    // Clients use different paths for this.
    route('POST', '/api/logout', 'POST logout', logout),
    route('POST', '/logout', 'POST logout', logout),
    route('GET', '/logout', 'GET logout', logout),
  ];
};
