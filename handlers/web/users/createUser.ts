import { actorOf } from '../../../src/auth/account.js';
import type { WebHandler } from '../handler.js';
import { toUserReply } from '../replies.js';

export const createUser: WebHandler<'createUser'> = async ({ input, principal, reply, client }, { auth }) => {
  const { name, email = null, role, language = null, siteIds = [] } = input.body;
  const { user, password } = await auth.users.createWithPassword(
    { name, email, role, language, siteIds },
    actorOf(principal, client),
  );
  return reply(201, { user: toUserReply(user), password });
};
