import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteController: WebHandler<'deleteController'> = async (
  { input, key, reply, client },
  { controllers },
) => {
  await controllers.remove(input.path.controllerId, actorOf(key, client));
  return reply(204);
};
