import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteLogo: WebHandler<'deleteLogo'> = async (
  { input, principal, reply, client },
  { sites },
) => {
  await sites.removeLogo(input.path.siteId, actorOf(principal, client));
  return reply(204);
};
