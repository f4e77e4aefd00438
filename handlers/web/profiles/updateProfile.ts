import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toProfileReply } from '../replies.js';

export const updateProfile: WebHandler<'updateProfile'> = async (
  { input, principal, reply, client },
  { profiles },
) => {
  const { profileId } = input.path;
  return reply(200, toProfileReply(await profiles.change(profileId, input.body, actorOf(principal, client))));
};
