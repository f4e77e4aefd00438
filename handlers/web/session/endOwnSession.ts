import { Problem } from '../../../src/errors/problem.js';
import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const endOwnSession: WebHandler<'endOwnSession'> = async (
  { input, key, reply, client },
  { people },
) => {
  if (!(await people.sessions.end(key.user, input.path.sessionId, actorOf(key, client))))
    throw new Problem('not_found');
  return reply(204);
};
