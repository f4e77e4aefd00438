import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toUserReply } from '../replies.js';

export const updateUser: WebHandler<'updateUser'> = async ({ input, principal, reply, client }, { auth }) => {
  const { userId } = input.path;
  await auth.users.update(userId, input.body, actorOf(principal, client));
  return reply(200, toUserReply(await auth.users.find(userId)));
};
