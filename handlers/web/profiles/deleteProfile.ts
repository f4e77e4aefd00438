import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteProfile: WebHandler<'deleteProfile'> = async (
  { input, principal, reply, client },
  { profiles },
) => {
  await profiles.remove(input.path.profileId, actorOf(principal, client));
  return reply(204);
};
