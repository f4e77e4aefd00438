import { Refusal, Problem } from '../../src/errors/problem.js';
import type { WebHandlers } from './handler.js';
import {
  makeSignInCookies,
  toSessionClient,
  endSessionCookie,
  makeSingleSignOnCookie,
  singleSignOnCallback,
  readSingleSignOnCookie,
} from '../../src/auth/cookies.js';
import { toCurrentUserReply, toSessionListReply } from './replies.js';
import { makeUnavailable } from '../../src/errors/httpProblem.js';
import { actorOf } from '../../src/auth/account.js';

export const sessionHandlers = {
  requestPasswordReset: async ({ input, reply, client }, { auth, accountMail }) => {
    if (!(await accountMail.isSetUp()))
      throw new Refusal('email-not-set-up', 'there is no mail server to send a link with');
    await auth.forgottenPassword.request(input.body.login, client);
    return reply(204);
  },

  choosePassword: async ({ input, reply, client }, { auth }) => {
    const { token, password } = input.body;
    await auth.forgottenPassword.choose(token, password, client);
    return reply(204);
  },

  getStart: async ({ reply }, { auth, service, accountMail }) =>
    reply(200, {
      needsAdministrator: !(await auth.users.exist()),
      singleSignOn: (await auth.singleSignOn())?.name ?? null,
      canResetPassword: await accountMail.isSetUp(),
      isDemo: service.isDemo,
    }),

  createFirstAdministrator: async ({ input: { body }, reply, client }, { auth, service }) => {
    const { token, name, email = null, password, language = null } = body;
    const user = await auth.firstStart.create(token, { name, email, password, language }, client.address);
    const signedIn = await auth.signIn({ login: name, password }, toSessionClient(client));
    return reply(
      201,
      toCurrentUserReply(
        { user, mustChangePassword: false, mustSetUpSecondFactor: false },
        service.version,
        true,
      ),
      signedIn.outcome === 'signed-in' ? { 'Set-Cookie': makeSignInCookies(signedIn, client) } : {},
    );
  },

  getSession: async ({ principal, reply }, { auth, service }) =>
    reply(200, toCurrentUserReply(principal, service.version, auth.account.asksCurrentPassword(principal))),

  signIn: async ({ input, reply, client }, { auth }) => {
    const result = await auth.signIn(input.body, toSessionClient(client, input.cookie));
    switch (result.outcome) {
      case 'signed-in':
        return reply(200, { outcome: 'signed-in' }, { 'Set-Cookie': makeSignInCookies(result, client) });
      case 'code-required':
        return reply(200, { outcome: 'code-required' });
      case 'refused':
        throw new Problem('unauthorized');
      case 'throttled':
        throw new Problem('rate_limited', {}, { 'Retry-After': String(result.retryAfterSeconds) });
      case 'busy':
        throw makeUnavailable();
    }
  },

  signOut: async ({ principal, reply, client }, { auth }) => {
    await auth.sessions.end(principal.user, principal.session.id, actorOf(principal, client));
    return reply(204, undefined, { 'Set-Cookie': endSessionCookie(client) });
  },

  beginSingleSignOn: async ({ reply, client }, { auth }) => {
    const singleSignOn = await auth.singleSignOn();
    if (!singleSignOn)
      return reply(302, undefined, {
        Location: `${client.basePath}/sign-in?reason=single-sign-on-off`,
      });
    try {
      const { url, pending } = await singleSignOn.begin(singleSignOnCallback(client));
      return await reply(302, undefined, {
        Location: url,
        'Set-Cookie': makeSingleSignOnCookie(pending, client),
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return reply(302, undefined, { Location: `${client.basePath}/sign-in?reason=${error.code}` });
    }
  },

  endSingleSignOn: async ({ input: { query, cookie }, reply, client }, { auth }) => {
    const singleSignOn = await auth.singleSignOn();
    if (!singleSignOn)
      return reply(302, undefined, {
        Location: `${client.basePath}/sign-in?reason=single-sign-on-off`,
      });
    const endPending = makeSingleSignOnCookie(undefined, client);
    try {
      const session = await singleSignOn.end(
        query,
        readSingleSignOnCookie(cookie, client),
        singleSignOnCallback(client),
        toSessionClient(client, cookie),
      );
      return await reply(302, undefined, {
        Location: `${client.basePath}/`,
        'Set-Cookie': [...makeSignInCookies(session, client), endPending],
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return reply(302, undefined, {
        Location: `${client.basePath}/sign-in?reason=${error.code}`,
        'Set-Cookie': endPending,
      });
    }
  },

  setLanguage: async ({ input, principal, reply }, { auth }) => {
    await auth.account.setLanguage(principal, input.body.language);
    return reply(204);
  },

  changePassword: async ({ input, principal, reply, client }, { auth }) => {
    const session = await auth.account.changePassword(principal, input.body, toSessionClient(client));
    return reply(204, undefined, { 'Set-Cookie': makeSignInCookies(session, client) });
  },

  listOwnSessions: async ({ principal, reply }, { auth }) =>
    reply(200, toSessionListReply(await auth.sessions.list(principal.user.id), principal.session)),

  endOwnSession: async ({ input, principal, reply, client }, { auth }) => {
    if (!(await auth.sessions.end(principal.user, input.path.sessionId, actorOf(principal, client))))
      throw new Problem('not_found');
    return reply(204);
  },

  beginSecondFactor: async ({ input, principal, reply }, { auth }) =>
    reply(200, await auth.account.beginSecondFactor(principal, input.body.current)),

  confirmSecondFactor: async ({ input, principal, reply, client }, { auth }) => {
    const { recoveryCodes, ...session } = await auth.account.confirmSecondFactor(
      principal,
      input.body.code,
      toSessionClient(client),
    );
    return reply(
      200,
      { recoveryCodes: [...recoveryCodes] },
      { 'Set-Cookie': makeSignInCookies(session, client) },
    );
  },

  deleteSecondFactor: async ({ input, principal, reply, client }, { auth }) => {
    const session = await auth.account.removeSecondFactor(
      principal,
      input.body.current,
      toSessionClient(client),
    );
    return reply(204, undefined, { 'Set-Cookie': makeSignInCookies(session, client) });
  },

  renewRecoveryCodes: async ({ input, principal, reply, client }, { auth }) =>
    reply(200, {
      recoveryCodes: await auth.account.renewRecoveryCodes(
        principal,
        input.body.current,
        toSessionClient(client),
      ),
    }),
} satisfies Partial<WebHandlers>;
