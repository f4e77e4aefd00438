import type { WebHandler } from '../handler.js';
import { toSessionListReply } from '../replies.js';

export const listSessions: WebHandler<'listSessions'> = async ({ input, principal, reply }, { auth }) => {
  const user = await auth.users.find(input.path.userId);
  return reply(200, toSessionListReply(await auth.sessions.list(user.id), principal.session));
};
