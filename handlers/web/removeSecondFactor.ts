import { makeSessionCookie, toSessionClient } from '../../src/people/webAccess.js';
import type { WebHandler } from './handler.js';

export const removeSecondFactor: WebHandler<'removeSecondFactor'> = async (
  { input, key, reply, client },
  { people },
) => {
  const { token } = await people.account.removeSecondFactor(key, input.body.current, toSessionClient(client));
  return reply(204, undefined, { 'Set-Cookie': makeSessionCookie(token, client) });
};
