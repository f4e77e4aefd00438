import type { WebHandler } from '../handler.js';
import { toProfileReply } from '../replies.js';

export const listProfiles: WebHandler<'listProfiles'> = async ({ principal, reply }, { profiles }) => {
  // Before the list: an order that is made of it is never newer than what it was made of.
  const revision = await profiles.revision();
  return reply(200, { revision, profiles: (await profiles.list(principal.user)).map(toProfileReply) });
};
