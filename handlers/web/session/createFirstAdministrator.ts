import { makeSignInCookies, toSessionClient } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';
import { toCurrentUserReply } from '../replies.js';

export const createFirstAdministrator: WebHandler<'createFirstAdministrator'> = async (
  { input: { body }, reply, client },
  { auth, service },
) => {
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
};
