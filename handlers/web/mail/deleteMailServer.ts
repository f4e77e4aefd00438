import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteMailServer: WebHandler<'deleteMailServer'> = async (
  { principal, reply, client },
  { mailServer },
) => {
  await mailServer.remove(actorOf(principal, client));
  return reply(204);
};
