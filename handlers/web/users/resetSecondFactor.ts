import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const resetSecondFactor: WebHandler<'resetSecondFactor'> = async (
  { input, key, reply, client },
  { people },
) => {
  await people.secondFactor.reset(input.path.userId, actorOf(key, client));
  return reply(204);
};
