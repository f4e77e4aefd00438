import type { IdentityProviderInput, IdentityProviderView } from '../../src/auth/identityProvider.js';
import type { RequestClient } from '../../src/contract/runtime/request.js';
import { singleSignOnCallback } from '../../src/auth/cookies.js';
import type { WebHandlers, WebSchema } from './handler.js';
import { actorOf } from '../../src/auth/account.js';
import { Refusal } from '../../src/errors/problem.js';
import { toUserReply, toSessionListReply } from './replies.js';

export const userHandlers = {
  listUsers: async ({ reply }, { auth }) => reply(200, { users: (await auth.users.list()).map(toUserReply) }),

  createUser: async ({ input, principal, reply, client }, { auth, accountMail, emails }) => {
    const { name, email = null, role, language = null, siteIds = [], invite } = input.body;
    if (invite && (!email || !(await accountMail.isSetUp())))
      throw new Refusal(
        'invitation-impossible',
        'without an e-mail address or a mail server nothing is sent',
      );
    // Counted first: nobody is created whom no invitation reaches.
    const takeBack = invite ? await emails.count(email ?? '', principal.user.id) : undefined;
    const { user, password } = await auth.users
      .createWithPassword({ name, email, role, language, siteIds }, actorOf(principal, client))
      .catch(async (error: unknown) => {
        await takeBack?.();
        throw error;
      });
    if (!invite) return reply(201, { user: toUserReply(user), password });
    // Nobody knows the password: the link of the e-mail lets them choose their own.
    const { name: invitedBy, language: own } = principal.user;
    // Somebody new has chosen no language yet.
    await accountMail.send({ ...user, language: user.language ?? own }, { kind: 'invitation', invitedBy });
    return reply(201, { user: toUserReply(user), password: null });
  },

  updateUser: async ({ input, principal, reply, client }, { auth }) => {
    const { userId } = input.path;
    await auth.users.update(userId, input.body, actorOf(principal, client));
    return reply(200, toUserReply(await auth.users.find(userId)));
  },

  deleteUser: async ({ input, principal, reply, client }, { auth }) => {
    await auth.users.remove(input.path.userId, actorOf(principal, client));
    return reply(204);
  },

  sendInvitation: async ({ input, principal, reply }, { auth, accountMail, emails }) => {
    const user = await auth.users.find(input.path.userId);
    if (!user.passwordIsTemporary) throw new Refusal('already-signed-in', 'this user has chosen a password');
    const { name: invitedBy, language: own } = principal.user;
    // Somebody new has chosen no language yet.
    const recipient = { ...user, language: user.language ?? own };
    const takeBack = await emails.count(user.email ?? '', principal.user.id);
    if (!(await accountMail.send(recipient, { kind: 'invitation', invitedBy }))) {
      await takeBack();
      throw new Refusal(
        'invitation-impossible',
        'without an e-mail address or a mail server nothing is sent',
      );
    }
    return reply(204);
  },

  resetPassword: async ({ input, principal, reply, client }, { auth }) =>
    reply(200, { password: await auth.users.resetPassword(input.path.userId, actorOf(principal, client)) }),

  resetSecondFactor: async ({ input, principal, reply, client }, { auth }) => {
    await auth.secondFactor.reset(input.path.userId, actorOf(principal, client));
    return reply(204);
  },

  listSessions: async ({ input, principal, reply }, { auth }) => {
    const user = await auth.users.find(input.path.userId);
    return reply(200, toSessionListReply(await auth.sessions.list(user.id), principal.session));
  },

  endSessions: async ({ input, principal, reply, client }, { auth }) => {
    const user = await auth.users.find(input.path.userId);
    await auth.sessions.endAll(user, actorOf(principal, client));
    return reply(204);
  },

  getSignInRules: async ({ reply }, { auth }) => {
    const { secondFactorRoles } = await auth.signInRules.get();
    return reply(200, { secondFactorRoles: [...secondFactorRoles] });
  },

  setSignInRules: async ({ input, principal, reply, client }, { auth }) => {
    await auth.signInRules.set(input.body, actorOf(principal, client));
    return reply(204);
  },

  getIdentityProvider: async ({ reply, client }, { identityProvider }) =>
    reply(200, toIdentityProviderReply(await identityProvider.view(), client)),

  setIdentityProvider: async ({ input, principal, reply, client }, { identityProvider }) => {
    const { before, ...settings } = input.body;
    await identityProvider.save(toIdentityProviderInput(settings), actorOf(principal, client), before);
    return reply(200, toIdentityProviderReply(await identityProvider.view(), client));
  },

  deleteIdentityProvider: async ({ principal, reply, client }, { identityProvider }) => {
    await identityProvider.remove(actorOf(principal, client));
    return reply(204);
  },

  testIdentityProvider: async ({ input, reply, client }, { identityProvider, testProvider }) => {
    const config = await identityProvider.resolve(toIdentityProviderInput(input.body));
    return reply(200, { steps: await testProvider(config, singleSignOnCallback(client)) });
  },
} satisfies Partial<WebHandlers>;

const toIdentityProviderReply = (
  { settings, fixed, ...view }: IdentityProviderView,
  client: Pick<RequestClient, 'publicUrl' | 'hasFixedUrl'>,
): WebSchema<'IdentityProvider'> => ({
  ...view,
  issuer: settings.issuer ?? null,
  clientId: settings.clientId ?? null,
  name: settings.name ?? null,
  roleClaim: settings.roleClaim ?? null,
  adminValue: settings.adminValue ?? null,
  viewerValue: settings.viewerValue ?? null,
  emailProof: settings.emailProof ?? null,
  emailDomains: settings.emailDomains ?? null,
  fixed: [...fixed],
  callback: singleSignOnCallback(client),
  isCallbackFixed: client.hasFixedUrl,
});

/** What is null or empty is not set. */
const toIdentityProviderInput = (body: WebSchema<'IdentityProviderSettings'>): IdentityProviderInput => ({
  issuer: body.issuer,
  clientId: body.clientId,
  clientSecret: body.clientSecret,
  name: body.name || undefined,
  roleClaim: body.roleClaim || undefined,
  adminValue: body.adminValue || undefined,
  viewerValue: body.viewerValue || undefined,
  emailProof: body.emailProof ?? undefined,
  emailDomains: body.emailDomains || undefined,
});
