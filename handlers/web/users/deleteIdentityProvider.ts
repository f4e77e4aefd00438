import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteIdentityProvider: WebHandler<'deleteIdentityProvider'> = async (
  { principal, reply, client },
  { identityProvider },
) => {
  await identityProvider.remove(actorOf(principal, client));
  return reply(204);
};
