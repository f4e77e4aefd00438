import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteProfile: WebHandler<'deleteProfile'> = async (
  { input, key, reply, client },
  { profiles },
) => {
  await profiles.remove(input.path.profileId, actorOf(key, client));
  return reply(204);
};
