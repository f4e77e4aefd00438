import { actorOf } from '../../src/people/account.js';
import { endSessionCookie } from '../../src/people/webCookies.js';
import type { WebHandler } from './handler.js';

export const signOut: WebHandler<'signOut'> = async ({ key, reply, client }, { people }) => {
  await people.sessions.end(key.user, key.session.id, actorOf(key, client));
  return reply(204, undefined, { 'Set-Cookie': endSessionCookie(client) });
};
