import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toSiteReply } from '../replies.js';

export const createSites: WebHandler<'createSites'> = async (
  { input: { path, body }, principal, reply, client },
  { controllers },
) => {
  const ids = await controllers.addSites(path.controllerId, body.sites, actorOf(principal, client));
  const { sites } = await controllers.show(path.controllerId);
  return reply(201, {
    sites: sites.filter(({ id }) => ids.includes(id)).map((site) => toSiteReply(site, principal)),
  });
};
