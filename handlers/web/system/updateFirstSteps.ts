import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const updateFirstSteps: WebHandler<'updateFirstSteps'> = async (
  { input, principal, reply, client },
  { firstSteps },
) => {
  await firstSteps.setHidden(input.body.isHidden, actorOf(principal, client));
  return reply(204);
};
