import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const restoreKey: WebHandler<'restoreKey'> = async ({ input, key, reply, client }, { keys }) => {
  await keys.restore(input.path.keyId, actorOf(key, client));
  return reply(204);
};
