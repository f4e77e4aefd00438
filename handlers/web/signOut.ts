import { actorOf } from '../../src/people/account.js';
import { makeSessionCookie } from '../../src/people/webAccess.js';
import type { WebHandler } from './handler.js';

export const signOut: WebHandler<'signOut'> = async ({ key, reply, client }, { people }) => {
  await people.sessions.end(key.user, key.session.id, actorOf(key, client));
  return reply(204, undefined, { 'Set-Cookie': makeSessionCookie(undefined, client) });
};
