import type { WebHandler } from '../handler.js';
import { toCurrentUserReply } from '../replies.js';

export const getSession: WebHandler<'getSession'> = async ({ principal, reply }, { auth, service }) =>
  reply(200, toCurrentUserReply(principal, service.version, auth.account.asksCurrentPassword(principal)));
