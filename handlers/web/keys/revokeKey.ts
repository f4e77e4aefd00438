import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const revokeKey: WebHandler<'revokeKey'> = async ({ input, key, reply, client }, { keys }) => {
  await keys.revoke(input.path.keyId, actorOf(key, client));
  return reply(204);
};
