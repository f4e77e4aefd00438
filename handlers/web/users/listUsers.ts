import type { WebHandler } from '../handler.js';
import { toUserReply } from '../replies.js';

export const listUsers: WebHandler<'listUsers'> = async ({ reply }, { auth }) =>
  reply(200, { users: (await auth.users.list()).map(toUserReply) });
