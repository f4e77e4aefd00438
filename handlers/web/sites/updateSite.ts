import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toSiteReply } from '../replies.js';

export const updateSite: WebHandler<'updateSite'> = async (
  { input, principal, reply, client },
  { sites },
) => {
  const { siteId } = input.path;
  const { isActive, ...values } = input.body;
  await sites.change(
    siteId,
    { ...values, ...(isActive !== undefined && { active: isActive }) },
    actorOf(principal, client),
  );
  return reply(200, toSiteReply(await sites.find(siteId), principal));
};
