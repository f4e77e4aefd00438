import { makeSignInCookies, toSessionClient } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const changePassword: WebHandler<'changePassword'> = async (
  { input, key, reply, client },
  { people },
) => {
  const session = await people.account.changePassword(key, input.body, toSessionClient(client));
  return reply(204, undefined, { 'Set-Cookie': makeSignInCookies(session, client) });
};
