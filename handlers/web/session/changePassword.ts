import { makeSignInCookies, toSessionClient } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const changePassword: WebHandler<'changePassword'> = async (
  { input, principal, reply, client },
  { auth },
) => {
  const session = await auth.account.changePassword(principal, input.body, toSessionClient(client));
  return reply(204, undefined, { 'Set-Cookie': makeSignInCookies(session, client) });
};
