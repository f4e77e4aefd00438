import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const setProfileOrder: WebHandler<'setProfileOrder'> = async (
  { input, principal, reply, client },
  { profiles },
) => {
  const { profileIds, revision } = input.body;
  await profiles.reorder(profileIds, revision, actorOf(principal, client));
  return reply(204);
};
