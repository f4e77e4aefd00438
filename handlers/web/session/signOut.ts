import { actorOf } from '../../../src/auth/account.js';
import { endSessionCookie } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const signOut: WebHandler<'signOut'> = async ({ key, reply, client }, { people }) => {
  await people.sessions.end(key.user, key.session.id, actorOf(key, client));
  return reply(204, undefined, { 'Set-Cookie': endSessionCookie(client) });
};
