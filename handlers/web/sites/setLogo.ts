import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const setLogo: WebHandler<'setLogo'> = async ({ input, principal, reply, client }, { sites }) => {
  await sites.setLogo(input.path.siteId, input.body.image, actorOf(principal, client));
  return reply(204);
};
