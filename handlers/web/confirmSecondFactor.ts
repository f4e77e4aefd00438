import { makeSessionCookie, toSessionClient } from '../../src/people/webAccess.js';
import type { WebHandler } from './handler.js';

export const confirmSecondFactor: WebHandler<'confirmSecondFactor'> = async (
  { input, key, reply, client },
  { people },
) => {
  const { token, recoveryCodes } = await people.account.confirmSecondFactor(
    key,
    input.body.code,
    toSessionClient(client),
  );
  return reply(
    200,
    { recoveryCodes: [...recoveryCodes] },
    { 'Set-Cookie': makeSessionCookie(token, client) },
  );
};
