import { makeSignInCookies, toSessionClient } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const confirmSecondFactor: WebHandler<'confirmSecondFactor'> = async (
  { input, principal, reply, client },
  { people },
) => {
  const { recoveryCodes, ...session } = await people.account.confirmSecondFactor(
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
