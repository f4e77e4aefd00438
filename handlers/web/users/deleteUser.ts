import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';

export const deleteUser: WebHandler<'deleteUser'> = async ({ input, principal, reply, client }, { auth }) => {
  await auth.users.remove(input.path.userId, actorOf(principal, client));
  return reply(204);
};
