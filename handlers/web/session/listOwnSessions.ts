import type { WebHandler } from '../handler.js';
import { toSessionListReply } from '../replies.js';

export const listOwnSessions: WebHandler<'listOwnSessions'> = async ({ key, reply }, { people }) =>
  reply(200, toSessionListReply(await people.sessions.list(key.user.id), key.session));
