import type { WebHandler } from '../handler.js';
import { toSessionListReply } from '../replies.js';

export const listSessions: WebHandler<'listSessions'> = async ({ input, principal, reply }, { people }) => {
  const user = await people.users.find(input.path.userId);
  return reply(200, toSessionListReply(await people.sessions.list(user.id), principal.session));
};
