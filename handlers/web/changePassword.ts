import { makeSessionCookie, toSessionClient } from '../../src/people/webAccess.js';
import type { WebHandler } from './handler.js';

export const changePassword: WebHandler<'changePassword'> = async (
  { input, key, reply, client },
  { people },
) => {
  const { token } = await people.account.changePassword(key, input.body, toSessionClient(client));
  return reply(204, undefined, { 'Set-Cookie': makeSessionCookie(token, client) });
};
