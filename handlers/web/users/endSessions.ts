import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const endSessions: WebHandler<'endSessions'> = async (
  { input, principal, reply, client },
  { people },
) => {
  const user = await people.users.find(input.path.userId);
  await people.sessions.endAll(user, actorOf(principal, client));
  return reply(204);
};
