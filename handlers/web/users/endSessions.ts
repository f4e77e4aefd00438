import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const endSessions: WebHandler<'endSessions'> = async (
  { input, principal, reply, client },
  { auth },
) => {
  const user = await auth.users.find(input.path.userId);
  await auth.sessions.endAll(user, actorOf(principal, client));
  return reply(204);
};
