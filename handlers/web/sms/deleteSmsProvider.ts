import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteSmsProvider: WebHandler<'deleteSmsProvider'> = async (
  { principal, reply, client },
  { smsProvider },
) => {
  await smsProvider.remove(actorOf(principal, client));
  return reply(204);
};
