import { makeSignInCookies, toSessionClient } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const deleteSecondFactor: WebHandler<'deleteSecondFactor'> = async (
  { input, principal, reply, client },
  { auth },
) => {
  const session = await auth.account.removeSecondFactor(
    principal,
    input.body.current,
    toSessionClient(client),
  );
  return reply(204, undefined, { 'Set-Cookie': makeSignInCookies(session, client) });
};
