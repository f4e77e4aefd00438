import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteController: WebHandler<'deleteController'> = async (
  { input, principal, reply, client },
  { controllers },
) => {
  await controllers.remove(input.path.controllerId, actorOf(principal, client));
  return reply(204);
};
