import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteLogo: WebHandler<'deleteLogo'> = async ({ input, key, reply, client }, { sites }) => {
  await sites.removeLogo(input.path.siteId, actorOf(key, client));
  return reply(204);
};
