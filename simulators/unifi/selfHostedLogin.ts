import { classicError, classicOk } from './envelope.js';
import { readCredentials } from './login.js';
import { html, redirect, route, type Call, type Reply, type Route } from './route.js';
import type { Sessions } from './sessions.js';
import type { Settings } from './settings.js';

/** Signing in to a self-hosted Network application, and how it shows that it is one. */
export const selfHostedLoginRoutes = (settings: Settings, sessions: Sessions): Route[] => {
  const login = (call: Call): Reply => {
    const { verdict, hasSecondFactor, strict } = readCredentials(call, settings);
    if (verdict === 'unreadable') return classicError(400, 'api.err.InvalidPayload');
    if (verdict === 'wrong') return classicError(settings.legacyErrors ? 401 : 400, 'api.err.Invalid');
    if (settings.twoFactor && !hasSecondFactor('ubic_2fa_token')) {
      // With the status of a success.
      return classicError(200, 'api.err.Ubic2faTokenRequired');
    }
    const session = sessions.open();
    const cookies = [`unifises=${session.token}; Path=/; Secure; HttpOnly`];
    if (strict && settings.csrf !== 'none') cookies.push(`csrf_token=${session.csrf}; Path=/; Secure`);
    return classicOk([], { 'set-cookie': cookies });
  };

  const logout = (call: Call): Reply => {
    const session = sessions.find(call.cookies.get('unifises'));
    if (session) sessions.close(session);
    return classicOk([]);
  };

  return [
    route('GET', '/', 'GET /', () => redirect(302, '/manage'), 'probe'),
    route(
      'GET',
      '/manage',
      'GET /manage',
      () => html(200, '<!doctype html><title>UniFi Network</title>'),
      'probe',
    ),
    route('POST', '/api/login', 'POST login', login, 'login'),
    // Every client has its own idea of where this is.
    route('POST', '/api/logout', 'POST logout', logout),
    route('POST', '/logout', 'POST logout', logout),
    route('GET', '/logout', 'GET logout', logout),
  ];
};
