import { Problem } from '../../../src/errors/problem.js';
import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const endOwnSession: WebHandler<'endOwnSession'> = async (
  { input, principal, reply, client },
  { auth },
) => {
  if (!(await auth.sessions.end(principal.user, input.path.sessionId, actorOf(principal, client))))
    throw new Problem('not_found');
  return reply(204);
};
