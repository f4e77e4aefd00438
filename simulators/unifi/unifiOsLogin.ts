import { randomUUID } from 'node:crypto';
import { csrfFits, csrfHeaders, invalidCsrf } from './csrf.js';
import { readCredentials } from './login.js';
import { html, json, route, type Call, type Reply, type Route } from './route.js';
import type { Session, Sessions } from './sessions.js';
import { atLeast, type Settings } from './settings.js';

const windowMs = 60_000;

/** Signing in to UniFi OS, and how it shows that it is UniFi OS. */
export const unifiOsLoginRoutes = (settings: Settings, sessions: Sessions): Route[] => {
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

  const login = (call: Call): Reply => {
    if (isThrottled()) {
      return failure(429, 'AUTHENTICATION_FAILED_LIMIT_REACHED', "You've reached the login attempt limit");
    }
    const { verdict, hasSecondFactor } = readCredentials(call, settings);
    if (verdict === 'unreadable') return failure(400, 'BAD_REQUEST', 'Bad request');
    if (verdict === 'wrong') {
      const message = 'Invalid username or password';
      return settings.legacyErrors
        ? json(401, { errors: [message] })
        : failure(403, 'AUTHENTICATION_FAILED_INVALID_CREDENTIALS', message);
    }
    if (settings.twoFactor && !hasSecondFactor('token')) {
      return json(499, {
        data: { mfaCookie: `UBIC_2FA=${sessions.remember(randomUUID())}` },
        meta: { rc: 'error', msg: 'api.err.Ubic2faTokenRequired' },
      });
    }
    const session = sessions.open();
    // Recent firmware wants it kept apart per embedding page, an attribute that some cookie jars stumble over.
    const partitioned = atLeast(settings.version, '10.0.0') ? '; Partitioned' : '';
    return json(200, user, {
      'set-cookie': [`TOKEN=${session.token}; Path=/; HttpOnly; Secure; SameSite=Strict${partitioned}`],
      ...csrfHeaders(settings, session),
    });
  };

  const signedIn =
    (handle: (session: Session) => Reply) =>
    (call: Call): Reply => {
      const session = sessions.find(call.cookies.get('TOKEN'));
      if (!session) return json(401, { error: { code: 401, message: 'Unauthorized' } });
      return csrfFits(settings, session, call) ? handle(session) : invalidCsrf();
    };

  return [
    route('GET', '/', 'GET /', () => html(200, '<!doctype html><title>UniFi OS</title>'), 'probe'),
    route('POST', '/api/auth/login', 'POST login', login, 'login'),
    route(
      'POST',
      '/api/auth/logout',
      'POST logout',
      signedIn((session) => {
        sessions.close(session);
        return json(200, {});
      }),
    ),
    route(
      'GET',
      '/api/users/self',
      'GET users/self',
      signedIn((session) => json(200, user, csrfHeaders(settings, session))),
    ),
  ];
};

const failure = (status: number, code: string, message: string): Reply =>
  json(status, { code, message, level: 'debug' });

/** Counts every login of the last minute that was not refused for this very reason, successful ones included. */
const makeThrottle = ({ clock, loginLimit }: Settings): (() => boolean) => {
  let recent: number[] = [];
  return () => {
    const now = clock();
    recent = recent.filter((at) => at > now - windowMs);
    if (recent.length >= loginLimit) return true;
    recent.push(now);
    return false;
  };
};
