import { makeSignInCookies, toSessionClient } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const confirmSecondFactor: WebHandler<'confirmSecondFactor'> = async (
  { input, principal, reply, client },
  { auth },
) => {
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
};
