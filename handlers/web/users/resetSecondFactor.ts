import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const resetSecondFactor: WebHandler<'resetSecondFactor'> = async (
  { input, principal, reply, client },
  { auth },
) => {
  await auth.secondFactor.reset(input.path.userId, actorOf(principal, client));
  return reply(204);
};
