import type { WebHandler } from '../handler.js';
import { toSiteReply } from '../replies.js';

export const listSites: WebHandler<'listSites'> = async ({ key, reply }, { sites }) =>
  reply(200, { sites: (await sites.list(key.user)).map((site) => toSiteReply(site, key)) });
