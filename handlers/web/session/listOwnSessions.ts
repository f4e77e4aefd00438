import type { WebHandler } from '../handler.js';
import { toSessionListReply } from '../replies.js';

export const listOwnSessions: WebHandler<'listOwnSessions'> = async ({ principal, reply }, { auth }) =>
  reply(200, toSessionListReply(await auth.sessions.list(principal.user.id), principal.session));
