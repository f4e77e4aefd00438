import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const revokeKey: WebHandler<'revokeKey'> = async ({ input, principal, reply, client }, { keys }) => {
  await keys.revoke(input.path.keyId, actorOf(principal, client));
  return reply(204);
};
