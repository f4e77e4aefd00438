import type { WebHandler } from '../handler.js';
import { toSiteReply } from '../replies.js';

export const listSites: WebHandler<'listSites'> = async ({ principal, reply }, { sites }) =>
  reply(200, { sites: (await sites.list(principal.user)).map((site) => toSiteReply(site, principal)) });
