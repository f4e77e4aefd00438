import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const setDefaultProfile: WebHandler<'setDefaultProfile'> = async (
  { input, principal, reply, client },
  { profiles },
) => {
  await profiles.setDefault(input.body.profileId, actorOf(principal, client));
  return reply(204);
};
