import type { WebHandler } from '../handler.js';
import { toSessionListReply } from '../replies.js';

export const listOwnSessions: WebHandler<'listOwnSessions'> = async ({ principal, reply }, { people }) =>
  reply(200, toSessionListReply(await people.sessions.list(principal.user.id), principal.session));
