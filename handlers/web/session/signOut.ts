import { actorOf } from '../../../src/auth/account.js';
import { endSessionCookie } from '../../../src/auth/cookies.js';
import type { WebHandler } from '../handler.js';

export const signOut: WebHandler<'signOut'> = async ({ principal, reply, client }, { auth }) => {
  await auth.sessions.end(principal.user, principal.session.id, actorOf(principal, client));
  return reply(204, undefined, { 'Set-Cookie': endSessionCookie(client) });
};
