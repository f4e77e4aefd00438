import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const restoreKey: WebHandler<'restoreKey'> = async ({ input, principal, reply, client }, { keys }) => {
  await keys.restore(input.path.keyId, actorOf(principal, client));
  return reply(204);
};
