import type { WebHandler } from '../handler.js';
import { toProfileReply } from '../replies.js';

export const listProfiles: WebHandler<'listProfiles'> = async ({ principal, reply }, { profiles }) =>
  reply(200, { profiles: (await profiles.list(principal.user)).map(toProfileReply) });
